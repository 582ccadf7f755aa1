"""``python -m symbolic_scaling`` and ``symscale``: the command line."""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Run the command line and exit with its code."""
    from .cli import main as run

    run()


if __name__ == "__main__":
    main()
