"""What comparisons on GPUs and on CPUs have in common: running a program, the record's name and text."""
import json, os, re, subprocess, sys, threading

from record import Unusable, parse_json


quiet = False  # --quiet


def say(text):
    """A line of progress that the next one overwrites; none with --quiet, and where standard error is no terminal."""
    if sys.stderr.isatty() and not quiet:
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


def run_lines(command, timeout, take):
    """Runs a program and hands on each JSON object that it prints; its status, and what it said on standard error."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace") as p:
        killer = threading.Timer(timeout, p.kill)
        said = []
        reader = threading.Thread(target=lambda: said.append(p.stderr.read()))
        killer.start()
        reader.start()
        try:
            for line in p.stdout:
                take(parse_json(line))
        except ValueError:
            p.kill()
            raise Unusable(f"`{os.path.basename(command[0])}' printed what is no JSON: {line.strip()[:80]}")
        except BaseException:
            p.kill()
            raise
        finally:
            late = not killer.is_alive()
            killer.cancel()
            reader.join()
        status = p.wait()
    if late:
        raise Unusable(f"the comparison did not end within {timeout} s")
    return status, said[0].strip()


def file_name(folder, spectrum, device, date):
    """sum-nvidia-h200-2026-11-21, with -2 and so on where there is such a record."""
    name = f"{spectrum}-{re.sub('[^a-z0-9]+', '-', device.lower()).strip('-')}-{date}"
    taken = [""] + [f"-{k}" for k in range(2, 1000)]
    return next(name + k for k in taken if not os.path.exists(os.path.join(folder, name + k + ".json")))


def json_text(data):
    """JSON with a row of the tables a line."""
    parts = []
    for key, value in data.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            text = "[\n    " + ",\n    ".join(json.dumps(row) for row in value) + "\n  ]"
        elif key == "variants":
            text = "{\n    " + ",\n    ".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in value.items()) + "\n  }"
        else:
            text = json.dumps(value)
        parts.append(f"  {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(parts) + "\n}\n"
