/** Small helpers to build the page. Text always goes in as text, never as markup: names come from models of others. */

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: never) => void) | undefined>;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2).toLowerCase(), value as EventListener);
    else if (value === true) element.setAttribute(name, "");
    else element.setAttribute(name, String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** An icon of 16 x 16 units from a path. */
export function icon(path: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

export const ICONS = {
  play: "M4 2.5v11l9-5.5z",
  pause: "M4 2.5h3v11H4zM9 2.5h3v11H9z",
  first: "M3 3h1.6v10H3zM13 3v10L5.5 8z",
  back: "M10.5 3v10L4 8z",
  forward: "M5.5 3v10L12 8z",
  last: "M11.4 3H13v10h-1.6zM3 3v10l7.5-5z",
  loop: "M4 5h6.2L8.6 3.4 9.7 2.3 13.1 5.7 9.7 9.1 8.6 8l1.6-1.5H4.5v3H3V5zM12 11H5.8l1.6 1.6-1.1 1.1-3.4-3.4 3.4-3.4L7.4 8 5.8 9.5h5.7v-3H13V11z",
  left: "M2 3h12v10H2zM3.4 4.4v7.2H6V4.4z",
  right: "M2 3h12v10H2zM10 4.4v7.2h2.6V4.4z",
  theme: "M8 1.5a6.5 6.5 0 1 0 0 13zM8 1.5a6.5 6.5 0 0 1 0 13v-1.3A5.2 5.2 0 0 0 8 2.8z",
  help: "M8 1.3a6.7 6.7 0 1 0 0 13.4A6.7 6.7 0 0 0 8 1.3zm-.8 9.2h1.5V12H7.200zM8 4c1.600 0 2.700.900 2.700 2.200 0 1.900-2 1.900-2 3.300H7.300c0-2.200 1.900-2.200 1.900-3.300 0-.5-.5-.9-1.200-.9s-1.200.4-1.300 1.100l-1.400-.2C5.500 4.800 6.500 4 8 4z",
  close: "M3.600 2.500 8 6.900l4.400-4.400 1.100 1.100L9.100 8l4.400 4.400-1.100 1.100L8 9.100l-4.400 4.400-1.100-1.100L6.900 8 2.500 3.600z",
  plus: "M7.200 2.500h1.600v4.700h4.700v1.600H8.800v4.700H7.200V8.800H2.500V7.200h4.700z",
  minus: "M2.500 7.200h11v1.600h-11z",
  enlarge: "M2.500 2.500h4.700v1.600H5.200l2.300 2.300-1.100 1.100-2.300-2.300v2H2.500zM13.500 13.500H8.800v-1.600h2L8.500 9.600l1.100-1.100 2.300 2.300v-2h1.600z",
  camera: "M5.800 3h4.400l1 1.600H14v8.400H2V4.600h2.800zM8 5.800a2.900 2.900 0 1 0 0 5.800 2.900 2.900 0 0 0 0-5.800zm0 1.400a1.500 1.500 0 1 1 0 3 1.500 1.500 0 0 1 0-3z",
  ruler: "M1 3h1.500v10H1zM13.500 3H15v10h-1.500zM3 8l3-2.500v1.800h4V5.500L13 8l-3 2.500V8.700H6v1.800z",
  fold: "M4.500 6 8 9.500 11.500 6z",
  target: "M7.300 1h1.400v2.100a5 5 0 0 1 4.200 4.200H15v1.400h-2.100a5 5 0 0 1-4.200 4.200V15H7.300v-2.100a5 5 0 0 1-4.200-4.200H1V7.300h2.100a5 5 0 0 1 4.200-4.200zM8 4.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7z",
};

export function clear(element: Element): void {
  while (element.firstChild) element.firstChild.remove();
}

/** A number in at most `digits` significant digits, as short as it can be. */
export function short(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(Math.max(0, digits - 2)).replace("e+", "e");
  return String(Number(value.toPrecision(digits)));
}

/** A number of fixed width, so that a changing value does not tremble; zero where it is round-off against `scale`. */
export function steady(value: number, scale = 0): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size < 1e-8 * scale || size < 1e-12) return "0.000";
  if (size !== 0 && (size >= 1e4 || size < 1e-3)) return value.toExponential(2).replace("e+", "e").replace("-", "−");
  return value.toFixed(size >= 100 ? 1 : size >= 10 ? 2 : 3).replace("-", "−");
}
