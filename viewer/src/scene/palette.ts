/** Colours: calm, and told apart in light and dark. */

export const BODY_COLOURS = ["#5b84b1", "#d98c4a", "#6aa37a", "#b9748f", "#8479b8", "#bfa24a", "#4fa0a8", "#a67c63"];
export const GROUND_COLOUR = "#8b929b";
/** Tints of the second, third, ... result in a comparison, and of their lines in plots. */
export const RUN_COLOURS = ["", "#d1495b", "#2a9d8f", "#8e6bbf", "#c98a1b"];
/** Lines of plots (Okabe & Ito 2008, told apart by colour-blind readers too; lighter where the ground is dark). */
export const LINES_LIGHT = ["#0072b2", "#d55e00", "#009e73", "#c2187e", "#56b4e9", "#b37e00", "#7b3fa0", "#666666"];
export const LINES_DARK = ["#5aaee8", "#ff8c42", "#3ecf9b", "#f075b6", "#9ad4ff", "#f0c04a", "#b98be0", "#bbbbbb"];

export interface Theme {
  background: string;
  sky: string;
  soil: string;
  grid: string;
  text: string;
  muted: string;
  joint: string;
  axis: string;
  link: string;
  spring: string;
  select: string;
  force: string;
  torque: string;
  /** Applied forces and torques. */
  push: string;
  /** Contacts that stick, and that slide. */
  stick: string;
  slide: string;
  trace: string;
  /** Joints inside bodies. */
  seen: string;
  /** Distances. */
  measure: string;
}

export const LIGHT: Theme = {
  background: "#f6f7f9",
  sky: "#ffffff",
  soil: "#aeb4bd",
  grid: "#5d6b7d",
  text: "#1f2733",
  muted: "#667080",
  joint: "#6f7b8a",
  axis: "#7a8594",
  link: "#8d97a5",
  spring: "#6b7684",
  select: "#ff9f1c",
  force: "#d1495b",
  torque: "#7048b6",
  push: "#1f8f6b",
  stick: "#1f8f6b",
  slide: "#e07a1f",
  trace: "#2b7bb9",
  seen: "#1d2530",
  measure: "#c2187e",
};

export const DARK: Theme = {
  background: "#171b21",
  sky: "#dfe7f2",
  soil: "#3a424d",
  grid: "#8fa0b5",
  text: "#e6eaf0",
  muted: "#98a3b3",
  joint: "#c3ccd8",
  axis: "#8592a3",
  link: "#78838f",
  spring: "#a4afbd",
  select: "#ffb347",
  force: "#ff7a8a",
  torque: "#b796ff",
  push: "#49d3a4",
  stick: "#49d3a4",
  slide: "#ffa04d",
  trace: "#6cb8f0",
  seen: "#ffffff",
  measure: "#ff8fd0",
};
