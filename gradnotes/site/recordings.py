"""Write docs/evidence/recordings.jsonl: make every recording that the pages need, without using caches.

    python -m gradnotes.site.recordings

This takes half a minute. A build makes recordings that are missing in the file.
"""

from __future__ import annotations

import sys
from pathlib import Path

from gradnotes.fences.recorded import required_recordings
from gradnotes.project import Project
from gradnotes.recorder import process, shipped


def main() -> int:
    """Make the recordings and write the file. Return 1 if a recording failed (the file then lacks it), else 0."""
    project = Project(Path.cwd())
    requests = list({shipped.key(request): request for request in required_recordings(project).values()}.values())
    recordings = process.record(requests, project.root)
    errors = [recording["error"] for recording in recordings if "error" in recording]
    for error in errors:
        print(f"recordings: {error}", file=sys.stderr)
    successful_pairs = [pair for pair in zip(requests, recordings, strict=True) if "error" not in pair[1]]
    shipped.write(project.root, shipped.fingerprint(project), successful_pairs)
    print(f"{shipped.FILE}: {len(successful_pairs)} recordings")
    return 1 if errors else 0


if __name__ == "__main__":
    raise SystemExit(main())
