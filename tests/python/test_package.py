"""The Python package says what the program says."""

import contextlib
import io
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import unittest
import warnings

import narrows
from narrows import _program

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Importing(unittest.TestCase):
    def test_takes_at_most_three_tenths_of_a_second_and_loads_no_numpy(self):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        code = "import sys, narrows; print({'numpy', 'pandas'} & set(sys.modules))"
        loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual(loaded, "set()\n")
        # Of the processor, the interpreter's start included: other programs may use it at the same time.
        self.assertLess(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 0.3)

    def test_without_numpy_and_pandas_predicts_and_says_how_to_get_them(self):
        for missing, call in [("numpy", "sweep('gups', 'bluegene-l', nodes='32,64')"), ("pandas", "machine('bluegene-l').frame")]:
            code = f"import sys; sys.modules[{missing!r}] = None; import narrows; narrows.predict('gups', 'bluegene-l'); narrows.{call}"
            with self.subTest(call):
                said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stderr.splitlines()[-1]
                self.assertRegex(said, "^ModuleNotFoundError: arrays and frames need NumPy and pandas .*: apt-get install python3-")

    def test_everything_public_is_documented(self):
        for name in narrows.__all__:
            thing = getattr(narrows, name)
            if name != "InputError":
                self.assertTrue(thing.__doc__, name)


class Readme(unittest.TestCase):
    def test_shows_what_runs(self):
        blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
        self.assertEqual(len(blocks), 1)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(blocks[0], {})
        bottleneck, header, *rows = out.getvalue().splitlines()
        self.assertEqual(bottleneck, "network")  # as what-if of the README says of a clock twice as fast
        self.assertIn("result", header)
        self.assertGreater(len(rows), 5)


class Predicting(unittest.TestCase):
    def test_is_the_commands_prediction(self):
        found = narrows.predict("gups", "bluegene-l", nodes=65536)
        self.assertEqual(found.json, narrows.command("predict", "gups", machine="bluegene-l", nodes=65536))
        self.assertAlmostEqual(found.value / 1.536e10, 1, places=3)  # README.md
        self.assertEqual((found.bottleneck, found.unit, found.nodes), ("processor", "1/s", 65536))
        self.assertEqual(min(found.bounds, key=found.bounds.get), "processor")
        self.assertEqual(float(found), found.bounds["processor"])
        self.assertIn("16", narrows.explain("gups", "bluegene-l", nodes=16))
        self.assertIn("garg2006 (1)", narrows.explain("gups", "bluegene-l", nodes=16))

    def test_knows_every_workload_by_its_own_options(self):
        asked = {"halo-exchange": ("cluster-400g", {"nodes": 8, "neighbours": 3}), "sweep3d": ("roadrunner", {"nodes": 1, "cells_per_rank": "5x5x400"})}
        usual = ("cluster-400g", {"nodes": 8})
        self.assertIn("fft-pencils", narrows.workloads())
        self.assertIn("allreduce", narrows.workloads())
        for workload in narrows.workloads():
            machine, options = asked.get(workload, usual)
            if "nodes" not in narrows.options(workload):
                options = {}
            if workload == "gups":
                machine = "bluegene-l"
            with self.subTest(workload):
                found = narrows.predict(workload, machine, **options)
                self.assertGreater(found.value, 0)
                self.assertEqual(found.workload, workload)

    def test_takes_python_values_as_options(self):
        self.assertIn("ranks_per_node", narrows.options("fft-pencils"))
        few = narrows.predict("fft-pencils", "cluster-400g", nodes=16, n=256)
        more = narrows.predict("fft-pencils", "cluster-400g", nodes=16, n=256, ranks_per_node=4)
        self.assertEqual((few.json["ranks"], more.json["ranks"]), (16, 64))
        composed = narrows.predict("gups", "bluegene-l", nodes=64, network=narrows.network("torus 4x4x4"))
        self.assertTrue(composed.json["composed"])
        self.assertEqual(len(composed.remarks), 1)
        self.assertIn("not validated on hardware", composed.remarks[0])
        self.assertEqual(few.remarks, [])

    def test_options_of_workload_files_may_have_underscores(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "mine.yaml"
            file.write_text("name: Mine\noptions: {part_size: {default: 8 KiB, help: a message}}\n"
                            "phases: [{name: step, all-to-all: {bytes: part_size}}]\n")
            small = narrows.predict(file, "cluster-400g", nodes=4)
            large = narrows.predict(file, "cluster-400g", nodes=4, part_size="1 MiB", ranks_per_node=1)
        self.assertGreater(large.value, 2 * small.value)

    def test_options_of_workload_files_may_be_true_or_false(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "mine.yaml"
            file.write_text("name: Mine\noptions: {is_long: {default: 1, help: yes or no}}\n"
                            "phases: [{name: step, compute: {time: 'is_long ? 10 us : 1 us'}}]\n")
            times = [narrows.predict(file, "cluster-400g", nodes=4, is_long=one).value for one in (True, False)]
            both = narrows.command("compare", "cluster-400g", workload=str(file), nodes=4, is_long="1,0")
        self.assertAlmostEqual(times[0], 10e-6)
        self.assertAlmostEqual(times[1], 1e-6)
        self.assertIn("1", str(both))

    def test_commands_write_files_in_the_format_of_their_ending(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.html"
            found = narrows.command("show", "bluegene-l", output=str(page))
            self.assertTrue(page.read_text().startswith("<!DOCTYPE html>"))
        self.assertEqual(found, {})
        with self.assertRaisesRegex(narrows.InputError, "^output: the answer is returned"):
            narrows.predict("gups", "bluegene-l", nodes=64, output="x.json")
        with self.assertRaisesRegex(narrows.InputError, "^format: the answer is returned"):
            narrows.sweep("gups", "bluegene-l", nodes="64..512", format="json")
        with self.assertRaisesRegex(narrows.InputError, "^--help: options are keywords here"):
            narrows.predict("--help", "bluegene-l")

    def test_rows_have_the_options_of_workload_files(self):
        frame = narrows.table("fft-pencils", "cluster-400g", nodes=64, n="512..4096").frame
        self.assertEqual(list(frame["n"]), [512, 1024, 2048, 4096])
        self.assertNotIn("options", frame)

    def test_options_called_as_what_was_found_do_not_replace_it(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "mine.yaml"
            file.write_text("name: Mine\noptions: {value: {default: 8 KiB, help: a message}}\n"
                            "phases: [{name: step, all-to-all: {bytes: value}}]\n")
            found = narrows.predict(file, "cluster-400g", nodes=4)
        self.assertEqual((found.row()["value"], found.row()["option value"]), (found.value, 8192))


class Machines(unittest.TestCase):
    def test_are_values(self):
        machine = narrows.machine("bluegene-l")
        faster = machine.set("node.clock", "2x")
        self.assertEqual(machine["node.clock"][:2], (7e8, "1/s"))
        self.assertEqual(faster["node.clock"].value, 1.4e9)
        self.assertEqual(len(machine.frame), len(machine.parameters))
        self.assertIn("bluegene-l", narrows.machines())
        change = narrows.what_if("gups", machine, nodes=65536, set={"node.clock": "2x"})
        said = narrows.command("what-if", "gups", machine="bluegene-l", nodes=65536, set={"node.clock": "2x"})
        self.assertAlmostEqual(change.ratio, said["ratio"], places=12)
        self.assertEqual(change.after.value, narrows.predict("gups", faster, nodes=65536).value)

    def test_keep_their_changes_in_sweeps_and_beside_others(self):
        faster = narrows.machine("bluegene-l").set("node.clock", "2x")
        both = narrows.predict("gups", faster, nodes=64, set={"paths.mpi.send.overhead": "0.5x"})
        again = narrows.predict("gups", faster.set("paths.mpi.send.overhead", "0.5x"), nodes=64)
        self.assertEqual(both.value, again.value)
        swept = narrows.sweep("gups", faster, nodes=[64, 128])
        self.assertEqual(swept["result"][0], narrows.predict("gups", faster, nodes=64).value)
        with self.assertRaisesRegex(ValueError, "has changes"):
            narrows.predict("gups", "bluegene-l", nodes=64, network=faster)

    def test_changes_of_one_path_follow_each_other(self):
        faster = narrows.machine("bluegene-l").set("node.clock", "2x")
        again = faster.set("node.clock", "1.5x")
        self.assertEqual(again["node.clock"].value, 2.1e9)
        self.assertEqual(again.changes, (("node.clock", "2x"), ("node.clock", "1.5x")))
        self.assertEqual(narrows.Machine("bluegene-l", again.changes).json, again.json)
        self.assertEqual(narrows.Machine("bluegene-l", {"node.clock": "2x"}).json, faster.json)
        self.assertEqual(repr(again), "Machine('bluegene-l').set('node.clock', '2x').set('node.clock', '1.5x')")
        change = narrows.what_if("gups", faster, nodes=64, set={"node.clock": "1.5x"})
        self.assertEqual(change.after.value, narrows.predict("gups", again, nodes=64).value)
        self.assertAlmostEqual(change.ratio, 1.5, places=9)

    def test_factors_of_grids_and_searches_are_of_the_changed_machine(self):
        faster = narrows.machine("bluegene-l").set("node.clock", "2x")
        swept = narrows.sweep("gups", faster, nodes=64, set={"node.clock": ["1x", "1.5x"]})
        self.assertEqual(list(swept["node.clock"]), [1, 1.5])
        self.assertEqual(swept["result"][0], narrows.predict("gups", faster, nodes=64).value)
        self.assertEqual(swept["result"][1], narrows.predict("gups", faster.set("node.clock", "1.5x"), nodes=64).value)
        found = narrows.solve("gups", faster, target="0.06 GUPS", vary="node.clock", nodes=64)
        self.assertAlmostEqual(found.value / (found.factor * 1.4e9), 1, places=9)


class Grids(unittest.TestCase):
    def test_table_is_a_frame(self):
        table = narrows.table("gups", "bluegene-l", messaging="raw", nodes="32,512,..32768")
        self.assertEqual([row.nodes for row in table], [32, 512, 8192])
        frame = table.frame
        self.assertEqual(list(frame["bottleneck"]), ["network"] * 3)
        self.assertTrue((frame["value"] == table.values).all())
        self.assertTrue((frame["value"] <= frame["processor bound"]).all())
        self.assertEqual(table[:2], table.rows[:2])

    def test_sweep_has_a_point_for_each_combination(self):
        swept = narrows.sweep("gups", "bluegene-l", nodes=[64, 4096], set={"network.link.bandwidth": ["0.5x", "1x", "2x"]})
        self.assertEqual(len(swept), 6)
        self.assertEqual(swept["result"].dtype, float)
        self.assertEqual(sorted(set(swept["nodes"])), [64, 4096])
        frame = swept.frame
        one = frame[(frame["nodes"] == 4096) & (frame["network.link.bandwidth"] == 2)]
        said = narrows.predict("gups", "bluegene-l", nodes=4096, set={"network.link.bandwidth": "2x"})
        self.assertEqual(one["result"].item(), said.value)
        self.assertEqual(swept.unit, "1/s")

    def test_points_that_were_left_out_are_a_warning(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            narrows.sweep("gups", "bluegene-l", nodes=[64, 10**9], skip_impossible=True)
        self.assertRegex(str(caught[0].message), "left out 1 of 2 points")

    def test_warnings_are_of_the_line_that_asked(self):
        asked = {"machine": "bluegene-l", "nodes": [64, 10**9], "skip_impossible": True}
        calls = {
            "sweep": lambda: narrows.sweep("gups", **asked),
            "run": lambda: _program.run("sweep", "gups", format="csv", **asked),
            "command": lambda: narrows.command("sweep", "gups", **asked),
        }
        for name, ask in calls.items():
            with self.subTest(name), warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                ask()
                self.assertEqual((caught[0].filename, caught[0].lineno), (__file__, ask.__code__.co_firstlineno))

    def test_solve_reaches_its_target(self):
        found = narrows.solve("gups", "bluegene-l", target="20 GUPS", vary="network.link.bandwidth", nodes=8192, messaging="raw")
        at = narrows.predict("gups", "bluegene-l", nodes=8192, messaging="raw", set={found.path: f"{found.value!r} {found.unit}"})
        self.assertAlmostEqual(at.value / 20e9, 1, places=9)
        nodes = narrows.solve("gups", "bluegene-l", target="5 GUPS", vary="nodes=1024..65536").value
        self.assertGreaterEqual(narrows.predict("gups", "bluegene-l", nodes=nodes).value, 5e9)
        never = narrows.solve("gups", "bluegene-l", target="9000 GUPS", vary="network.link.bandwidth", nodes=64)
        self.assertIsNone(never.value)
        self.assertEqual(never.forbidden_by["resource"], "processor")
        cheap = narrows.solve("gups", "bluegene-l", target="5 GUPS", minimise="price", set={"price.node": "3000 USD"},
                              vary={"nodes": "1024..65536", "messaging": "mpi,raw"})
        self.assertEqual(cheap.cheapest["settings"], {"nodes": 2197, "messaging": "raw"})
        self.assertEqual(repr(cheap), "Solution({'nodes': 2197.0, 'messaging': 'raw'} reaches it for least)")
        self.assertEqual(list(cheap.frontier["spent"])[2], 2197 * 3000)
        self.assertNotIn("settings", cheap.frontier)
        pairs = narrows.solve("gups", "bluegene-l", target="16 GUPS", nodes=65536, vary={"node.clock": "1x..4x*2", "network.link.bandwidth": None})
        self.assertEqual(len(pairs.trade_off), 3)
        self.assertEqual(repr(pairs), "Solution(3 pairs)")

    def test_solve_says_that_every_value_reaches_its_target(self):
        every = narrows.solve("gups", "bluegene-l", target="0.0001 GUPS", vary={"nodes": "1024..2048"})
        self.assertEqual(repr(every), "Solution(every value reaches it)")
        for name in ("path", "value", "unit", "factor", "low", "high", "after", "forbidden_by"):
            self.assertIsNone(getattr(every, name), name)

    def test_crossover_and_sensitivity(self):
        reigns = narrows.crossover("halo-exchange", "bluegene-p", nodes=512, neighbours=4, bytes="8..4MiB")
        self.assertEqual((reigns[0].start, reigns[-1].end), (8, 4 * 2**20))
        elasticities = narrows.sensitivity("gups", "bluegene-l", nodes=64)
        self.assertAlmostEqual(elasticities["node.clock"], 1, places=3)


class Networks(unittest.TestCase):
    def test_have_proven_numbers_and_links_as_arrays(self):
        torus = narrows.network("torus 8x8x8")
        self.assertEqual((torus.nodes, torus.diameter), (512, 12))
        self.assertTrue(torus.bisection.is_exact)
        self.assertEqual(torus.bisection.lower, 128)
        links = torus.links(traffic="uniform")
        self.assertEqual(len(links["from"]), 3 * 512)
        self.assertTrue((links["capacity"] == 1).all())
        fullest = max(links["load"].max(), links["load_back"].max())
        said = narrows.command("topology", "torus 8x8x8", traffic="uniform")["loads"]["fullest_share"]
        self.assertAlmostEqual(fullest, said, places=12)
        self.assertEqual(list(torus.frame().columns), ["from", "to", "capacity"])

    def test_of_a_part_of_the_hosts(self):
        fabric = narrows.network(ROOT / "tests/golden/networks/fabric.ibnetdiscover", hosts="first:2")
        self.assertEqual(fabric.nodes, 2)
        self.assertEqual(len(fabric.links()["from"]), len(fabric.frame()))

    def test_of_a_part_is_no_machines_network_by_its_name(self):
        file = str(ROOT / "tests/golden/networks/fabric.ibnetdiscover")
        part = narrows.network(file, hosts="first:2")
        remedy = f"give network={file!r}, hosts='first:2'"
        with self.assertRaisesRegex(ValueError, re.escape(remedy)):
            narrows.predict("gups", "bluegene-l", network=part)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.assertEqual(narrows.predict("gups", "bluegene-l", network=part.spec, hosts=part.hosts).nodes, 2)
            self.assertEqual(narrows.predict("gups", "bluegene-l", network=narrows.network(file)).nodes, 4)

    def test_read_with_options_is_another_than_its_name(self):
        file = str(ROOT / "tests/golden/networks/slurm-topology.conf")
        for options in ({"cables": 2}, {"from_": "slurm", "cables": 2}, {"cables": 2, "without_host_links": True}):
            read = narrows.network(file, hosts="first:6", budget="1 s", **options)
            for ask in (read.word, read.links, read.frame):
                with self.subTest(options=options, ask=ask.__name__), self.assertRaises(ValueError) as caught:
                    ask()
                self.assertIn("which no name has: give the file that", str(caught.exception))
        remedy = re.search(r"narrows\.(\w+\(.*\)) writes$", str(caught.exception)).group(1)
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                eval("narrows." + remedy)
                written = narrows.network("network.edges", without_host_links=False)
                self.assertEqual(written.phi.lower, read.phi.lower)
                self.assertEqual((written.word(), len(written.links()["from"])), ("network.edges", 10))
            finally:
                os.chdir(before)


class Commands(unittest.TestCase):
    def test_options_that_may_be_given_several_times_take_lists(self):
        said = narrows.command("report", "cluster-400g", workload=["allreduce", "fft-pencils"], nodes=4)
        self.assertEqual([one["prediction"]["workload"] for one in said["workloads"]], ["allreduce", "fft-pencils"])
        words = _program._words({"history": ["a.yaml", "b.yaml"], "nodes": [1, 2]}, {})  # a calibration takes long
        self.assertEqual(words, ["--history=a.yaml", "--history=b.yaml", "--nodes=1,2"])
        self.assertEqual(_program._words({"history": [1, 2]}, {"--history": "of a workload"}), ["--history=1,2"])
        changes = ["node.clock=2x", "node.clock=1.5x"]
        shown = {row["path"]: row["value"] for row in narrows.command("show", "bluegene-l", set=changes)["parameters"]}
        self.assertEqual(shown["node.clock"], 2.1e9)
        pairs = narrows.solve("gups", "bluegene-l", target="16 GUPS", nodes=65536, vary=["node.clock=1x..4x*2", "network.link.bandwidth"])
        self.assertEqual(len(pairs.trade_off), 3)

    def test_names_that_are_words_of_python_end_in_an_underscore(self):
        measured = [ROOT / "tests/golden/files" / name for name in ("osu_latency.txt", "osu_mbw_mr.txt")]
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "there.yaml"
            narrows.command("calibrate", from_=measured, output=file)
            written = file.read_text()
        for one in measured:
            self.assertIn(one.name, written)
        read = narrows.network(ROOT / "tests/golden/networks/fabric.ibnetdiscover", from_="ibnetdiscover")
        self.assertEqual(read.nodes, 4)


class Errors(unittest.TestCase):
    def test_are_what_the_program_prints(self):
        lines = (ROOT / "tests/golden/errors.txt").read_text().splitlines()
        plain = re.compile(r"narrows predict (\S+) -m (\S+) -n (\S+) --(\S+) (\S+)$")
        tried = 0
        for command, said in zip(lines[::2], lines[1::2]):
            match = plain.match(command)
            if not match or "files/" in command:
                continue
            workload, machine, nodes, option, value = match.groups()
            tried += 1
            with self.subTest(command), self.assertRaises(narrows.InputError) as caught:
                narrows.predict(workload, machine, nodes=nodes, **{option.replace("-", "_"): value})
            self.assertIn(said.strip(), str(caught.exception))
        self.assertGreater(tried, 3)

    def test_of_options_have_no_name_of_the_program(self):
        with self.assertRaisesRegex(narrows.InputError, "^there is no workload 'gupps', did you mean 'gups'"):
            narrows.options("gupps")

    def test_have_place_and_caret(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "mine.yaml"
            file.write_text("name: Mine\nnode:\n  processors: 64 GB\n")
            with self.assertRaises(narrows.InputError) as caught:
                narrows.machine(file)
        first, line, caret = str(caught.exception).splitlines()
        self.assertTrue(first.startswith(f"{file}:3:15: "), first)
        self.assertEqual(line[caret.index("^")], "6")
        self.assertIsInstance(caught.exception, ValueError)

    def test_of_arrays_are_the_same_text(self):
        torus = narrows.network("torus 4x4")
        with self.assertRaisesRegex(narrows.InputError, r"^--traffic: no traffic is called 'unifrm'"):
            torus.links(traffic="unifrm")

    def test_without_mpi_say_so(self):
        with self.assertRaisesRegex(narrows.InputError, "without MPI"):
            narrows.command("run", "ping-pong", transport="mpi")


if __name__ == "__main__":
    unittest.main()
