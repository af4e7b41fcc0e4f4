"""Memory of GPUs shared with PyTorch, CuPy and JAX, where there is a GPU and the library."""

import gc

import numpy as np
import pytest

import tutti as tt

pytestmark = pytest.mark.skipif("cuda:0" not in tt.devices(), reason="there is no GPU")


@pytest.fixture(autouse=True)
def on_gpu():
    with tt.use("cuda:0"):
        yield


def test_torch_both_ways():
    torch = pytest.importorskip("torch")
    x = torch.arange(12, dtype=torch.float32, device="cuda").reshape(3, 4)
    torch.cuda.synchronize()
    a = tt.asarray(x)
    assert a.device == "cuda:0" and a.__dlpack_device__() == (2, 0)
    back = torch.from_dlpack(a)
    assert back.data_ptr() == x.data_ptr()
    y = torch.from_dlpack(a * 2 + 1)
    assert torch.equal(y, x * 2 + 1)
    t = tt.asarray(x.T[:, ::2])
    assert np.array_equal(np.asarray(t), x.T[:, ::2].cpu().numpy())


def test_cupy_both_ways():
    cupy = pytest.importorskip("cupy")
    x = cupy.arange(10.0)
    cupy.cuda.Device().synchronize()
    a = tt.asarray(x)
    y = cupy.from_dlpack(a + 1)
    assert cupy.array_equal(y, x + 1)
    z = (a * 3).evaluate()
    interface = z.__cuda_array_interface__
    assert interface["shape"] == (10,) and interface["typestr"] == "<f8"
    assert cupy.array_equal(cupy.asarray(z), x * 3)


def test_jax_both_ways():
    jax = pytest.importorskip("jax")
    if jax.devices()[0].platform != "gpu":
        pytest.skip("JAX has no GPU")
    x = jax.numpy.arange(8, dtype="float32").block_until_ready()
    a = tt.asarray(x)
    y = jax.dlpack.from_dlpack(a * 2)
    assert np.array_equal(np.asarray(y), np.arange(8, dtype="float32") * 2)


def test_memory_of_the_host_on_the_gpu_and_back():
    x = np.random.default_rng(1).random((600, 700))
    a = tt.asarray(x[:, ::2])
    assert np.array_equal(np.asarray(a + 1), x[:, ::2] + 1)
    lent = np.asarray((a * 2).evaluate())
    gc.collect()
    tt.evaluate(*[a + i for i in range(4)])
    assert np.array_equal(lent, x[:, ::2] * 2)


def test_what_is_lent_is_not_written_over():
    torch = pytest.importorskip("torch")
    a = (tt.arange(1 << 20) * 2).evaluate()
    lent = torch.from_dlpack(a)
    a = (a + 1).evaluate()
    assert int(lent[-1]) == 2 * ((1 << 20) - 1)
    del lent
    gc.collect()


def test_owners_are_released():
    torch = pytest.importorskip("torch")
    torch.cuda.synchronize()
    before = torch.cuda.memory_allocated()
    for _ in range(50):
        x = torch.ones(1 << 18, device="cuda")
        torch.cuda.synchronize()
        (tt.asarray(x) + 1).evaluate()
        del x
    gc.collect()
    tt.zeros(1)
    assert torch.cuda.memory_allocated() <= before + (1 << 21)
