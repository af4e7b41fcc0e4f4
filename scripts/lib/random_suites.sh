# The random suites, for scripts/soak and scripts/gpu_suite: which there are, and how a range of seeds
# is run, counted and repeated. A sourced file. `tests` names the folder of the test programs, or is
# "portable" for the bundle that scripts/bundle makes.
# shellcheck shell=bash

tests=${tests:-portable}

# shellcheck disable=SC2034
random_suites=(graphs emulated recordings programs nested recorded vec primitives nesl)

# The test program, the variable that says how many seeds, the tests to run, what the last line of
# the output calls what was compared.
suite_field() {
  local field=$1 suite=$2 row
  case $suite in
  graphs) row="test_random TUTTI_TEST_GRAPHS RandomGraphs.CompiledEqualsInterpreted graphs" ;;
  emulated) row="test_emulated_gpu TUTTI_TEST_GRAPHS RandomGraphs.CompiledEqualsInterpreted graphs" ;;
  recordings) row="test_random TUTTI_TEST_RECORDINGS RandomRecordings.* recordings" ;;
  programs) row="test_programs TUTTI_TEST_PROGRAMS RandomPrograms.* programs" ;;
  nested) row="test_nested TUTTI_TEST_NESTED RandomPrograms.* nested programs" ;;
  recorded) row="test_vec TUTTI_TEST_RECORDED RandomBodies.* recorded bodies" ;;
  vec) row="test_vec TUTTI_TEST_VEC RandomExpressions.* vector expressions" ;;
  primitives) row="test_vectors TUTTI_TEST_PRIMITIVES RandomPrimitives.* primitives" ;;
  nesl) row="test_nesl TUTTI_TEST_NESL RandomPrograms.* NESL programs" ;;
  *) return 1 ;;
  esac
  cut -d ' ' -f "$field" <<<"$row"
}
suite_test() { suite_field 1 "$1"; }
suite_variable() { suite_field 2 "$1"; }
suite_filter() { suite_field 3 "$1"; }
suite_things() { suite_field 4- "$1"; }

# A seed that was not used before, and the one of a commit. Ranges that begin there do not overflow.
fresh_seed() { od -An -N4 -tu4 /dev/urandom | tr -d ' '; }
commit_seed() {
  local commit
  commit=$(git rev-parse HEAD 2>/dev/null) || commit=00000001
  echo $((16#${commit:0:8}))
}

# Where a test program is, as the words of a command.
test_command() {
  if [ "$tests" = portable ]; then echo "portable/run $1"; else echo "$tests/$1"; fi
}

# run_seeds SUITE FIRST COUNT LOG [SECONDS]: one process for a range of seeds. Without the disk cache,
# so that everything is compiled. Ends with the status of the process; 124: it took too long.
run_seeds() {
  local suite=$1 first=$2 count=$3 log=$4 seconds=${5:-600} command
  read -ra command <<<"$(test_command "$(suite_test "$suite")")"
  env TUTTI_CACHE=0 TUTTI_TEST_SEED="$first" "$(suite_variable "$suite")=$count" \
    timeout --kill-after=10 "$seconds" "${command[@]}" --gtest_filter="$(suite_filter "$suite")" >"$log" 2>&1
}

# How many were compared, and the seeds of what went wrong, by the logs of run_seeds.
compared_in() {
  local suite=$1
  shift
  cat "$@" | awk -v end=" random $(suite_things "$suite") compared" \
    'substr($0, length($0) - length(end) + 1) == end { n += $1 } END { print n + 0 }'
}
seeds_in() { cat "$@" | sed -nE 's/^seed ([0-9]+).*/\1/p' | sort -nu; }

# The first seed of a range that fails alone, for a process that ended without naming any.
search_seed() {
  local suite=$1 first=$2 count=$3 log=$4 seed
  for ((seed = first; seed < first + count; ++seed)); do
    run_seeds "$suite" "$seed" 1 "$log" 120 || {
      echo "$seed"
      return
    }
  done
}

# The command that repeats a seed, or several from it on, with the settings of the environment that
# matter.
repeat_command() {
  local suite=$1 seed=$2 count=${3:-1} name text=
  for name in LD_PRELOAD TUTTI_DEVICE TUTTI_THREADS TUTTI_SIMD_BITS TUTTI_SMALL_WORK TUTTI_POOL_BYTES; do
    [ -z "${!name:-}" ] || text+="$name=${!name} "
  done
  echo "${text}TUTTI_CACHE=0 TUTTI_TEST_SEED=$seed $(suite_variable "$suite")=$count" \
    "$(test_command "$(suite_test "$suite")") --gtest_filter='$(suite_filter "$suite")'"
}
