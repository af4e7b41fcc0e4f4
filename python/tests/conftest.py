"""Doctests of the package run with the name tt, and arrays are compared with NumPy's."""

import numpy as np
import pytest

import tutti as tt


@pytest.fixture(autouse=True)
def names_for_doctests(doctest_namespace):
    doctest_namespace["tt"] = tt
    doctest_namespace["np"] = np
