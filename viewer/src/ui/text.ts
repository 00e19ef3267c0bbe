/** What the page says, in English and Chinese. */

const TEXT = {
  bodies: ["bodies", "物体"],
  body: ["body", "物体"],
  joints: ["joints", "铰"],
  joint: ["joint", "铰"],
  forces: ["forces", "力元"],
  force: ["force", "力元"],
  constraints: ["constraints", "约束"],
  constraint: ["constraint", "约束"],
  markers: ["markers", "标记点"],
  marker: ["marker", "标记点"],
  ground: ["ground", "地面"],
  mechanism: ["Mechanism", "机构"],
  show: ["Show", "显示"],
  traces: ["traces", "轨迹"],
  springs: ["springs", "弹簧"],
  reactions: ["reactions", "约束反力"],
  grid: ["grid", "网格"],
  names: ["names", "名称"],
  shadows: ["shadows", "阴影"],
  results: ["Results", "结果"],
  selection: ["Selection", "选中"],
  nothing: ["Click a body or joint in the scene, the tree or the diagram.", "点击场景、列表或拓扑图中的物体或铰。"],
  plots: ["Plots", "曲线"],
  topology: ["Topology", "拓扑"],
  joints_sliders: ["Joint coordinates", "铰坐标"],
  addChannel: ["add a channel ...", "添加通道……"],
  noChannel: ["there is no such channel", "没有这个通道"],
  remove: ["remove", "移除"],
  plot: ["plot", "绘图"],
  follow: ["follow", "跟随"],
  play: ["play", "播放"],
  pause: ["pause", "暂停"],
  first: ["to the start", "回到开头"],
  last: ["to the end", "跳到结尾"],
  back: ["one step back", "后退一步"],
  forward: ["one step forward", "前进一步"],
  loop: ["repeat", "循环"],
  speed: ["speed", "速度"],
  theme: ["light or dark", "明暗主题"],
  language: ["中文", "English"],
  help: ["keyboard", "快捷键"],
  left: ["left panel", "左侧栏"],
  right: ["right panel", "右侧栏"],
  iso: ["oblique", "斜视"],
  front: ["front", "前视"],
  right_view: ["right", "右视"],
  top: ["top", "俯视"],
  mass: ["mass", "质量"],
  position: ["position", "位置"],
  velocity: ["velocity", "速度"],
  angular_velocity: ["angular velocity", "角速度"],
  rotation: ["rotation", "姿态"],
  angle: ["angle", "转角"],
  rate: ["rate", "角速率"],
  reaction_force: ["reaction force", "约束反力"],
  reaction_torque: ["reaction torque", "约束反力矩"],
  torque: ["torque", "力矩"],
  tension: ["tension", "拉力"],
  between: ["between", "连接"],
  numbers: ["values", "参数"],
  cut: ["cut: closes a loop", "切断铰：闭合回路"],
  loopOf: ["loop", "回路"],
  on: ["on", "位于"],
  energy: ["energy", "能量"],
  kinetic: ["kinetic", "动能"],
  gravity: ["gravity", "重力势能"],
  elastic: ["elastic", "弹性势能"],
  total: ["total", "总能量"],
  supplied: ["supplied", "输入功"],
  dissipated: ["dissipated", "耗散"],
  gridCell: ["grid", "网格"],
  arrowScale: ["arrow length", "箭头长度"],
  failed: ["failed", "失败"],
  thinned: ["shown at {shown} of {all} outputs", "显示 {all} 个输出中的 {shown} 个"],
  accuracy: ["drawn to {length} m", "绘图精度 {length} m"],
  closed: ["the process that served this page has ended", "服务进程已结束"],
  notAssembled: ["the loops cannot close there", "该位置回路无法闭合"],
  reset: ["reset", "复位"],
  needsServer: [
    "Closed loops and constraints are assembled by the process that serves the page; this file has none, so the sliders are off.",
    "闭环与约束需要服务进程装配；本文件没有服务进程，滑块不可用。",
  ],
  ownLaw: [
    "How these joints move is computed by the process that serves the page; this file has none, so their sliders are off: {joints}",
    "以下铰的运动由服务进程计算；本文件没有服务进程，其滑块不可用：{joints}",
  ],
  look: ["Look", "外观"],
  opacity: ["opacity", "不透明度"],
  section: ["section", "剖切"],
  beams: ["beams and cables", "梁与索"],
  beamColour: ["beams by", "梁着色"],
  elements: ["elements", "单元数"],
  axial_force: ["axial force", "轴力"],
  shear_force: ["shear force", "剪力"],
  bending_moment: ["bending moment", "弯矩"],
  normal_stress: ["normal stress", "正应力"],
  curvature: ["curvature", "曲率"],
  contacts: ["contacts", "接触"],
  state: ["state", "状态"],
  open: ["open", "分离"],
  sticking: ["sticking", "粘滞"],
  sliding: ["sliding", "滑动"],
  touching: ["{count} points touch", "{count} 个接触点"],
  gap: ["gap", "间隙"],
  normal_force: ["normal force", "法向力"],
  slip_speed: ["slip speed", "滑动速度"],
  point: ["point", "作用点"],
  bondGraph: ["bond graph", "键合图"],
  effort: ["effort", "势"],
  flow: ["flow", "流"],
  momentum: ["momentum", "广义动量"],
  deformation: ["deformation", "变形放大"],
  colourBy: ["colour", "着色"],
  ofTheBody: ["of the body", "物体颜色"],
  displacement: ["displacement", "位移"],
  stress: ["stress (von Mises)", "应力（von Mises）"],
  shape: ["shape", "形状"],
  motion: ["motion", "运动"],
  mode: ["mode", "模态"],
  sectionAt: ["place of the section", "剖切位置"],
  none: ["none", "无"],
  flip: ["other side", "另一侧"],
  measure: ["measure a distance", "测量距离"],
  firstPoint: ["click the first point", "点击第一个点"],
  secondPoint: ["click the second point", "点击第二个点"],
  savePicture: ["save a picture (PNG)", "保存图片（PNG）"],
  scene: ["scene", "场景"],
  time: ["time", "时间"],
  cannotShow: ["This page cannot be shown", "无法显示此页"],
  length: ["length", "长度"],
  power: ["power", "功率"],
  multipliers: ["multipliers", "乘子"],
  residual: ["residual", "残差"],
  smaller: ["smaller", "缩小"],
  larger: ["larger", "放大"],
  fit: ["fit", "适合大小"],
  enlarge: ["over the whole page, and back", "占满页面 / 还原"],
  counts: ["{bodies} bodies and ground, {joints} joints, {loops} loops", "{bodies} 个物体与地面，{joints} 个铰，{loops} 个回路"],
  loopText: ["{cut} ({kind}) cut; loop {joints}", "{cut}（{kind}）切断；回路 {joints}"],
  noDiagram: ["too many bodies for a diagram", "物体过多，无法绘制拓扑图"],
} as const;

const KEYS = [
  ["Space", ["play or pause", "播放 / 暂停"]],
  ["← →", ["one step (Shift: ten)", "单步（Shift：十步）"]],
  ["Home End", ["start, end", "开头、结尾"]],
  ["[ ]", ["slower, faster", "减速、加速"]],
  ["L", ["repeat", "循环"]],
  ["1 2 3 4", ["oblique, front, right, top", "斜视、前视、右视、俯视"]],
  ["F", ["follow the selected body", "跟随所选物体"]],
  ["+ −", ["zoom", "缩放"]],
  ["B J S T R K", ["bodies, joints, springs, traces, reactions, contacts", "物体、铰、弹簧、轨迹、反力、接触"]],
  ["G N", ["grid, names", "网格、名称"]],
  ["M C", ["measure a distance, save a picture", "测量距离、保存图片"]],
  ["D", ["light or dark", "明暗主题"]],
  ["P", ["panels", "侧栏"]],
  ["Z", ["English / 中文", "English / 中文"]],
  ["Esc", ["select nothing", "取消选择"]],
] as const;

export type Language = "en" | "zh";
export type Word = keyof typeof TEXT;

let language: Language = "en";

export function setLanguage(chosen: Language): void {
  language = chosen;
}

export function currentLanguage(): Language {
  return language;
}

export function say(word: Word, values: Record<string, string | number> = {}): string {
  let text: string = TEXT[word][language === "zh" ? 1 : 0];
  for (const [name, value] of Object.entries(values)) text = text.replace(`{${name}}`, String(value));
  return text;
}

/** A name that may be a word of the program (angle, velocity, ...) or one of the model. */
export function sayIfKnown(name: string): string {
  return name in TEXT ? say(name as Word) : name.replaceAll("_", " ");
}

const KINDS: Record<string, string> = {
  revolute: "转动铰", prismatic: "移动铰", cylindrical: "圆柱铰", universal: "万向铰", spherical: "球铰", planar: "平面铰",
  translation: "平动铰", beam: "梁", cable: "索", nodal_force: "节点力", surface_pressure: "表面压力", surface_traction: "表面牵引力", rigid_contact: "刚性接触", compliant_contact: "柔性接触", beam_element: "梁单元", spectral_beam_element: "高阶梁单元", thin_beam: "细梁", beam_load: "梁分布载荷", rope: "绳索", reeving: "绕轮绳索", gear_mesh: "齿轮啮合", tyre: "轮胎", slider: "沿梁滑块", one_way_clutch: "单向离合器",
  screw: "螺旋铰", free: "自由铰", fixed: "固定铰", composite: "组合铰", spring_damper: "弹簧阻尼器", table_spring: "表格弹簧",
  line_force: "连线力", point_gravity: "引力", bushing: "衬套", joint_spring: "铰弹簧", joint_damping: "铰阻尼",
  joint_friction: "铰摩擦", joint_stop: "铰限位", bond_graph: "键合图", bond_graph_flow: "键合图流约束",
  joint_torque: "铰驱动力矩", joint_motor: "铰电机", applied_force: "外力", applied_torque: "外力矩", distance: "定距",
  weld: "焊接", gear: "齿轮", belt: "带传动", cam: "凸轮", coupler: "耦合", angle: "夹角", parallel: "平行",
  perpendicular: "垂直", point_on_line: "点在线上", point_on_plane: "点在面上", joint_motion: "给定铰运动",
  marker_motion: "给定标记运动", knife_edge: "刃边", rack_and_pinion: "齿轮齿条", rolling_disc: "圆盘滚动",
  rolling_sphere: "球滚动", screw_coupling: "螺旋耦合", equation: "方程约束",
  cartesian_spring: "直角坐标弹簧", coupling_spring: "耦合弹簧",
};

export function sayKind(kind: string): string {
  return (language === "zh" && KINDS[kind]) || kind.replaceAll("_", " ");
}

export function keyboard(): [string, string][] {
  return KEYS.map(([key, text]) => [key, text[language === "zh" ? 1 : 0]]);
}
