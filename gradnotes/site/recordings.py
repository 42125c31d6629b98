"""Write docs/evidence/recordings.jsonl: record every run that the pages draw, whatever is cached.

    python -m gradnotes.site.recordings

It takes half a minute, and only the next builds depend on it: a build records what is missing in the file.
"""

from __future__ import annotations

import sys
from pathlib import Path

from gradnotes.fences.recorded import required_recordings
from gradnotes.project import Project
from gradnotes.recorder import process, shipped


def main() -> int:
    """Record, write the file, and return the exit code: 1 if a run failed, which is then missing in the file."""
    project = Project(Path.cwd())
    requests = list({shipped.key(request): request for request in required_recordings(project).values()}.values())
    recordings = process.record(requests, project.root)
    failed = [recording["error"] for recording in recordings if "error" in recording]
    for error in failed:
        print(f"recordings: {error}", file=sys.stderr)
    sound = [pair for pair in zip(requests, recordings, strict=True) if "error" not in pair[1]]
    shipped.write(project.root, project.recorder(), sound)
    print(f"{shipped.FILE}: {len(sound)} recordings")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
