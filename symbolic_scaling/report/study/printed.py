"""Extrapolation RMSE as arXiv 2209.06640 prints it for its text tasks, M1 to M4, curve by curve."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean
from types import MappingProxyType

__all__ = ["PRINTED", "means"]

LAWS = ("m1", "m2", "m3", "m4")

#: group -> curve as the paper names it -> errors of M1 to M4; the image tasks are not printed
PRINTED: Mapping[str, Mapping[str, tuple[float, ...]]] = MappingProxyType(
    {
        "NMT": {
            "6 Enc 6 Dec": (2.6e-1, 3.9e-2, 8.9e-2, 1.0e-2),
            "28 Enc 6 Dec": (1.7e-1, 5.6e-2, 3.3e-2, 1.3e-2),
            "6 Enc 28 Dec": (2.3e-1, 5.3e-2, 1.6e-2, 3.0e-2),
            "Dec-only": (2.5e-1, 3.9e-2, 8.9e-2, 1.0e-2),
            "TEnc-LSTM": (1.9e-1, 1.3e-2, 6.2e-2, 1.2e-2),
        },
        "LM": {
            "1.68e7": (1.5e-2, 6.0e-4, 2.5e-3, 3.1e-4),
            "1.34e8": (1.6e-2, 1.7e-3, 6.6e-4, 1.9e-3),
            "2.62e8": (2.3e-2, 1.9e-3, 5.2e-3, 1.8e-3),
            "4.53e8": (1.7e-2, 7.4e-4, 6.6e-4, 7.5e-4),
            "1.07e9": (1.7e-2, 1.7e-3, 4.5e-3, 1.3e-3),
        },
        "BB": {
            "linguistic_mappings 1-shot": (1.6e-2, 1.6e-2, 1.6e-2, 1.7e-2),
            "linguistic_mappings 2-shot": (1.7e-2, 1.7e-2, 1.7e-2, 9.2e-3),
            "qa_wikidata 1-shot": (4.2e-3, 4.4e-3, 4.2e-3, 4.4e-3),
            "qa_wikidata 2-shot": (4.4e-3, 4.7e-3, 4.4e-3, 4.9e-3),
            "unit_conversion 1-shot": (8.3e-3, 8.1e-3, 1.5e-3, 2.3e-3),
            "unit_conversion 2-shot": (1.1e-2, 1.1e-2, 7.5e-3, 2.9e-3),
            "mult_data_wrangling 1-shot": (1.1e-2, 1.1e-2, 1.1e-2, 1.3e-2),
            "mult_data_wrangling 2-shot": (1.6e-2, 1.6e-2, 1.6e-2, 6.2e-3),
            "date_understanding 1-shot": (3.2e-2, 3.2e-2, 4.7e-3, 1.5e-2),
            "date_understanding 2-shot": (2.9e-2, 2.9e-2, 4.8e-3, 1.8e-2),
        },
    }
)


def means(group: str) -> dict[str, float]:
    """Law -> mean of the printed errors of a group; empty where none are printed.

    Examples
    --------
    >>> round(means("NMT")["m4"], 4), means("IC")
    (0.015, {})
    """
    printed = PRINTED.get(group, {})
    return {law: fmean(errors[i] for errors in printed.values()) for i, law in enumerate(LAWS) if printed}
