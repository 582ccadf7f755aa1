"""UNSL and BNSL without starts: planted instances extrapolate, the paper's simulation comes back, real curves."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from planted_unsl import KINDS, NOISE, instance, rmsle

from symbolic_scaling import codegen, data, fit, laws
from symbolic_scaling.fit import backtest

FOLDER = os.environ.get("SYMBOLIC_SCALING_DATA", "")
needs_data = pytest.mark.skipif(not FOLDER, reason="SYMBOLIC_SCALING_DATA names no folder of real tables")
PAPER = {
    "a": 0.41388453071629455,
    "b": 2.2772722897737556,
    "c0": 0.055077348404973955,
    "c1": 5.662903816010331,
    "d1": 612.5836172918001,
    "f1": 0.059193036393742314,
}


def held_out(kind, seed):
    planted = instance(kind, seed)
    found = fit.curve(planted.law, planted.x, planted.y)
    return rmsle(found.predict(planted.later), planted.later_y)


@pytest.mark.parametrize("kind", ["breaks-1", "bottlenecks"])
def test_a_planted_instance_is_extrapolated_one_decade(kind):
    assert held_out(kind, 100) <= 2 * NOISE


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_of_twenty_planted_instances_eighteen_are_extrapolated_within_twice_the_noise(kind):
    errors = [held_out(kind, seed) for seed in range(20)]
    assert np.sum(np.array(errors) <= 2 * NOISE) >= 18, errors


@pytest.mark.parametrize("last", [405, 4095], ids=["its first part", "all of it"])
def test_the_papers_simulation_comes_back_to_a_millionth(last):
    law = laws.get("bnsl")
    x = np.arange(1.0, last + 1)
    found = fit.curve(law, x, codegen.law(law)(x, *PAPER.values()))
    assert found.estimate == pytest.approx(PAPER, rel=1e-6)


def test_a_counterforce_and_a_term_that_took_its_place_are_exchanged():
    assert held_out("learning-rate", 1) <= 2 * NOISE


def test_a_term_that_falls_and_rises_again_comes_with_its_break():
    law = laws.get("unsl", inputs=("N", "lr"), n={(3, 2): 1}, signs=0)
    rng = np.random.default_rng(1)
    n, lr = 10 ** rng.uniform(6, 10, 500), 10 ** rng.uniform(-5, -1, 500)
    y = 0.5 + 5e3 / n**0.45 + 0.04 / lr**0.5 * (1 + (lr / 6e-3) ** 1.5) ** 0.9
    y *= np.exp(NOISE * rng.normal(size=500))
    assert rmsle(fit.curve(law, {"N": n, "lr": lr}, y).predict({"N": n, "lr": lr}), y) <= 1.2 * NOISE


@needs_data
@pytest.mark.parametrize("name", ["bnsl", "unsl"])
def test_the_measured_addition_task_is_extrapolated_as_its_paper_does(name):
    table = data.read(Path(FOLDER) / "bnsl_addition.csv")
    x, y, train = (np.array([float(value) for value in table.column(c)]) for c in ("x", "y", "training"))
    found = fit.curve(laws.get(name), x[train == 1], y[train == 1], residual="log1p")
    assert rmsle(found.predict(x[train == 1]), y[train == 1]) <= 5.985e-4
    assert rmsle(found.predict(x[train == 0]), y[train == 0]) <= 1.10e-2


def test_double_descent_is_no_success_of_a_monotone_law_and_one_of_two_breaks():
    n = np.array([8.0, 16, 32, 64, 128, 192, 256, 328, 408, 512])
    loss = np.array([7.27, 6.13, 4.82, 3.83, 4.36, 5.33, 5.05, 4.67, 4.37, 4.12])
    refused = fit.curve(laws.get("m2"), n, loss)
    assert not refused.outcome.success
    assert any("local minimum at 64" in note and "local maximum at 192" in note for note in refused.notes)
    found = fit.curve(laws.get("bnsl", n=2), n, loss)
    assert found.objective**0.5 < 0.02
    inside = found.predict(n)
    assert inside[3] < inside[2] and inside[5] > inside[3] and inside[9] < inside[5]


@needs_data
@pytest.mark.slow
def test_broken_laws_beside_the_learning_curves_on_the_real_benchmark():
    curves = []
    for name in ("benchmark.vision.csv", "benchmark.lang.csv"):
        table = data.read(Path(FOLDER) / name)
        curves += backtest.split(
            table, {"x": "Seen Examples"}, "Loss", by=["Task", "Model"], group="Domain", column="Training"
        )
    assert len(curves) == 92
    candidates = (*laws.learning_curves(), laws.get("bnsl"), laws.get("unsl", signs=0))
    ran = backtest.run(curves, backtest.contenders(candidates))
    assert len(ran.summary) == 4 * 6
    assert not any(each.missing for each in ran.summary)
    mean = {(each.group, each.contender.law.name): each.mean_rmse for each in ran.summary}
    for domain in ("IC", "NMT", "LM", "BB"):
        assert mean[domain, "bnsl"] < mean[domain, "m1"]
        assert mean[domain, "unsl"] < mean[domain, "m1"]
    rates = {group: sum(e.win_rate for e in ran.summary if e.group == group) for group in ("IC", "NMT", "LM", "BB")}
    assert rates == pytest.approx(dict.fromkeys(rates, 1.0))


def test_a_part_that_does_nothing_is_named_and_what_each_does_adds_up():
    x = np.geomspace(1.0, 1e6, 60)
    found = fit.curve(laws.get("unsl", n=0, ceilings=(3,)), x, 0.1 + 3 * x**-0.4)
    assert "a_3 changes no row: the law without it fits as well (fit.pruned, --prune)" in found.notes
    assert [(role.switch, role.idle) for role in fit.roles(found)] == [("a_3", True)]
    planted = instance("bottlenecks", 1)
    result = fit.curve(planted.law, planted.x, planted.y)
    for role in fit.roles(result):
        values = {s.name: result.estimate[s.name] for s in result.law.constants}
        values[role.switch] = 1e-200
        point = [value for _, value in role.at]
        without = codegen.law(result.law)(*point, *values.values())
        assert role.most == pytest.approx(np.log(result.predict(dict(role.at)) / without), rel=1e-9)
        assert not role.idle


def test_a_formula_of_that_shape_is_fitted_in_the_same_way():
    law = laws.formula("y = E + A/N^alpha + B/D^beta*(1 + (D/D_0)^(1/w))^(g*w)", ["N", "D"])
    rng = np.random.default_rng(4)
    n, d = 10 ** rng.uniform(6, 10, 400), 10 ** rng.uniform(8, 12, 400)
    y = 1.5 + 60 / n**0.3 + 5e3 / d**0.45 * (1 + (d / 1e10) ** 4) ** 0.05
    found = fit.curve(law, {"N": n, "D": d}, y)
    assert "put on one by one" in found.certificate.text
    assert rmsle(found.predict({"N": n, "D": d}), y) < 1e-3
