"""Bond graphs in the page: sheets beside the topology, elements with their numbers, bonds as thick as their power."""

import pytest

import duoti as dt
from duoti.bond import C, Graph, I, One, Port, R, Se

pytestmark = pytest.mark.full  # of the page, the short layer has three scenes
CLICK = """name => document.querySelector(`[data-element="${name}"]`)
    .dispatchEvent(new MouseEvent('click', { bubbles: true }))"""
WIDTH = 'name => Number(document.querySelector(`[data-bond="${name}"] path`).style.strokeWidth)'


def circuit() -> Graph:
    """A voltage on R, L and C."""
    g = Graph("circuit")
    for name, element in (("U", Se("10*sin(50*t)")), ("i", One()), ("R", R(2.0)), ("L", I(0.05)), ("C", C(1e-3))):
        g.add(name, element)
    for a, b in (("U", "i"), ("i", "R"), ("i", "L"), ("i", "C")):
        g.bond(a, b)
    return g


@pytest.fixture(scope="module")
def driven():
    """A wheel on a shaft that a source of torque drives against a resistor."""
    m = dt.Model("driven wheel")
    m.add_body("wheel", dt.Inertia.sphere(1.0, radius=0.1))
    m.add_joint("axle", dt.Revolute("y"), m.ground, "wheel", at=(0, 0, 0))
    g = Graph("drive")
    for name, element in (("M", Se("2*t")), ("s", One()), ("B", R(0.3)), ("shaft", Port())):
        g.add(name, element)
    for a, b in (("M", "s"), ("s", "B"), ("s", "shaft")):
        g.bond(a, b)
    m.add_bond_graph("drive", g, ports={"shaft": "axle"})
    return dt.simulate(m, 1.0, outputs=0.05)


def test_sheet_beside_the_topology(driven, seen, tmp_path):
    page = seen(driven.export_html(tmp_path / "run.html", theme="dark").as_uri())
    assert page.page.locator("#sheet-0").inner_text() == "Topology"
    page.tap("#sheet-1")
    page.set_time(0.5)
    page.page.evaluate(CLICK, "B")
    said = page.page.locator(".info").inner_text()
    assert "drive.B" in said
    effort = driven["drive.B.effort"][10]
    assert f"{effort:.3f}" in said.replace("−", "-")
    thin = page.page.evaluate(WIDTH, "s-B")
    page.set_time(1.0)
    assert page.page.evaluate(WIDTH, "s-B") > thin > 1.0, "there is more power at the end"
    page.page.keyboard.press("z")
    assert page.page.locator("#sheet-0").inner_text() == "拓扑"
    assert "势" in page.page.locator(".info").inner_text()


def test_a_graph_by_itself(seen, tmp_path):
    result = dt.simulate(circuit(), 0.1, outputs=0.005)
    page = seen(result.export_html(tmp_path / "run.html", theme="light").as_uri())
    over = page.page.locator("main > .diagram.over")
    assert over.is_visible()
    assert "Se: U" in over.text_content()
    page.page.evaluate(CLICK, "C")
    page.set_time(0.05)
    said = page.page.locator(".info").inner_text().replace("−", "-")
    assert f"{result['C.effort'][10]:.3f}" in said
    assert "1 body" not in page.page.locator("header").inner_text(), "the body that holds the graph is not the user's"


def test_large_graphs_are_not_all_in_the_page():
    g = Graph("chain")
    g.add("U", Se(1.0))
    before = "U"
    for k in range(120):
        g.add(f"j{k}", One())
        g.add(f"R{k}", R(1.0))
        g.bond(before, f"j{k}")
        g.bond(f"j{k}", f"R{k}")
        before = f"j{k}"
    page = dt.view.Page(dt.simulate(g, 0.01))
    heads = page.document["runs"][0]["channels"]["heads"]
    assert not [head for head in heads if head["of"] == "graph"]
    assert "R119" in page.document["models"][0]["graphs"][0]["svg"]
