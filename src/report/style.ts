/** Colours by meaning, light and dark. Blue is ours; the others differ in lightness too, so that they survive colour blindness and grey paper. */
export const COLOURS = {
  page: ['#f4f5f7', '#12161c'],
  card: ['#ffffff', '#1a2028'],
  ink: ['#1c2430', '#e7ebf1'],
  muted: ['#5b6675', '#a2adbb'],
  line: ['#dfe3e8', '#333c48'],
  faint: ['#eef0f3', '#252d37'],
  pending: ['#eceff4', '#242c37'],
  own: ['#1d5fc4', '#6ea4f4'],
  ownsoft: ['#7ba8e4', '#4f7dbd'],
  rival1: ['#be5317', '#f0935a'],
  rival2: ['#0d8470', '#4cc2ab'],
  rival3: ['#8a4fa3', '#c893de'],
  rival4: ['#7d6a12', '#d3bd58'],
  other: ['#68727f', '#939eac'],
  good: ['#1d5fc4', '#7fb0f7'],
  bad: ['#b8480f', '#f3a06c'],
  positive: ['#1d5fc4', '#5b95ee'],
  neutral: ['#aeb8c6', '#66717f'],
  negative: ['#d9762f', '#ea9152'],
  unknown: ['#dde2e9', '#343d49'],
  heat0: ['#eef3fb', '#212a36'],
  heat1: ['#cfdff5', '#25395a'],
  heat2: ['#a3c1ea', '#2c4f86'],
  heat3: ['#6b9bdb', '#3565ab'],
  heat4: ['#3573c6', '#6699e0'],
  heat5: ['#164a99', '#a9c9f7'],
} as const;

export type Token = keyof typeof COLOURS;

/** Declarations of the light colours (0) or the dark ones (1) for a style sheet. */
function declarations(scheme: 0 | 1): string {
  return Object.entries(COLOURS)
    .map(([token, colours]) => `--${token}:${colours[scheme]}`)
    .join(';');
}

/** Charts outside a page have no style sheet: the light colours take the names' place. */
export function inlineLight(svg: string): string {
  const colours = new Map<string, readonly string[]>(Object.entries(COLOURS));
  return svg.replaceAll(/var\(--([a-z0-9]+)\)/g, (name, token: string) => colours.get(token)?.[0] ?? name);
}

/** The colour as charts name it: a style sheet decides between light and dark. */
export function ink(token: Token): string {
  return `var(--${token})`;
}

const RIVALS = ['rival1', 'rival2', 'rival3', 'rival4'] as const satisfies readonly Token[];

/** The colour of your brand, or of a rival by its rank. */
export function brandToken(isOwn: boolean, place: number): Token {
  return isOwn ? 'own' : (RIVALS[place] ?? 'other');
}

/** The style sheet of the page. `sections`: the ids that its switch leads to. */
export function pageStyle(sections: readonly string[]): string {
  const chosen = sections.map((id) => `body:has(#${id}:target) .switch a[href="#${id}"]`);
  return `${colours()}${STYLE}${[...chosen, 'body:not(:has(.project:target)) .switch a:first-child'].join(',')}{background:var(--own);color:var(--card);border-color:var(--own)}
`;
}

function colours(): string {
  return `:root{color-scheme:light dark;${declarations(0)}}
@media (prefers-color-scheme:dark){:root{${declarations(1)}}}
@media print{:root{color-scheme:light;${declarations(0)}}}
`;
}

const STYLE = `*{box-sizing:border-box}
.stale .headline,.stale .figure,.stale .kpi-change,.stale .kpi-change *{color:var(--muted)}
.stale .spark{filter:grayscale(1)}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Noto Sans","Liberation Sans",sans-serif;font-variant-numeric:tabular-nums}
header,main{max-width:1320px;margin:0 auto;padding:0 20px}
header{padding-top:28px}
main{padding-bottom:36px}
header .logo{float:right;max-height:48px;max-width:200px}
h1{font-size:22px;line-height:1.2;margin:0 0 4px;letter-spacing:-.01em;font-weight:650}
.project{scroll-margin-top:60vh}
@supports selector(:has(a)){.project:not(:target){display:none}
main:not(:has(>.project:target))>.project:not(.project~.project){display:block}}
h2{font-size:19px;margin:26px 0 2px;overflow-wrap:anywhere;font-weight:650}
h3{font-size:15px;margin:0;color:var(--ink);line-height:1.3;font-weight:650}
p,dl,dd{margin:0}
.running{display:none}
.meta,.subtitle,.note,.reading{color:var(--muted);font-size:13px}
.subtitle{margin:2px 0 10px}
.note{margin-top:10px}
.warn{margin-top:10px;padding:8px 12px;border-left:4px solid var(--bad);background:var(--card);font-size:14px}
.controls{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:center;gap:10px 20px;margin-top:16px}
.controls:empty{display:none}
.switch{display:flex;flex-wrap:wrap;gap:8px;max-height:220px;overflow:auto;padding:3px}
.switch a{color:inherit;text-decoration:none;border:1px solid var(--line);background:var(--card);border-radius:999px;padding:0 16px;font-size:14px;line-height:42px;max-width:100%;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.ranges{display:flex;border:1px solid var(--line);border-radius:8px;background:var(--card);overflow:hidden}
.ranges input{position:absolute;opacity:0;pointer-events:none}
.ranges span{display:block;padding:0 14px;line-height:44px;font-size:13px;cursor:pointer;color:var(--muted)}
.ranges label+label span{border-left:1px solid var(--line)}
.ranges input:checked+span{background:var(--faint);color:var(--ink);font-weight:600}
.ranges input:focus-visible+span{outline:3px solid var(--own);outline-offset:-3px}
.headline{font-size:16px;font-weight:600;margin:8px 0 0}
.lead{margin:18px 0 2px}
.search input{width:100%;max-width:420px;height:44px;margin-top:14px;padding:0 14px;font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:8px}
[hidden]{display:none!important}
.stale .headline,.stale .kpi-value,.stale .good,.stale .bad{color:var(--muted)}
.usual{display:block;color:var(--muted);font-weight:400}
.overview .card{margin-top:16px}
.board{table-layout:fixed}
.board th,.board td{padding:10px 8px;vertical-align:top;min-width:0;overflow-wrap:break-word}
.board tbody tr:last-child>*{border-bottom:0}
.board tbody th{font-weight:600;white-space:normal}
.board .usual{font-size:12px}
.board .figure{display:block;font-size:17px;font-weight:650}
.board .kpi-change{font-size:13px;min-height:0}
.board .spark{width:110px;height:22px;margin:4px 0 0 auto}
.board tbody th{width:26%}
.board .none{color:var(--muted)}
.open{display:inline-flex;align-items:center;min-height:44px;color:var(--own);text-decoration:underline;text-decoration-color:var(--ownsoft);text-underline-offset:3px}
a:focus-visible,summary:focus-visible,input[type=search]:focus-visible,.scroll:focus-visible{outline:3px solid var(--own);outline-offset:2px}
.scroll-x{overflow-x:auto;position:relative}
.shifts{margin:0;padding:0;list-style:none;font-size:14px;columns:2;column-gap:32px}
.shifts li{display:grid;grid-template-columns:104px minmax(0,1fr);column-gap:4px;padding:6px 0;break-inside:avoid}
.shifts strong{font-weight:600}
.causes{grid-column:2;color:var(--muted);font-size:13px;display:-webkit-box;-webkit-line-clamp:3;-webkit-box-orient:vertical;overflow:hidden}
.freshness{margin-top:12px}
.kpis{display:grid;grid-template-columns:repeat(4,minmax(0,1fr));gap:14px;margin-top:14px}
.kpi,.card{background:var(--card);border:1px solid var(--line);border-radius:10px}
.kpi{padding:14px 16px 12px;position:relative;display:flex;flex-direction:column}
.kpi-title{font-size:13px;color:var(--muted)}
.kpi-value{font-size:28px;line-height:1.2;font-weight:650;letter-spacing:-.02em;margin-top:2px}
.kpi-value .none{font-size:18px;font-weight:400;color:var(--muted);letter-spacing:0}
.kpi-change{font-size:14px;min-height:21px;color:var(--muted)}
.kpi-hint{font-size:12px;color:var(--muted)}
.good{color:var(--good)}.bad{color:var(--bad)}.flat{color:var(--muted)}
.spark{width:100%;height:30px;margin-top:auto;padding-top:8px;display:block}
.project>.card{margin-top:16px}
.charts{columns:2;column-gap:16px;margin-top:16px}
.charts .card{margin-bottom:16px}
.card{padding:18px 18px 14px;break-inside:avoid}
.card:has(details:not([hidden])){padding-bottom:2px}
.reading dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(240px,1fr));gap:10px 28px;margin-top:8px}
.reading dt{color:var(--ink)}
.body{min-width:0}
.plot{position:relative;overflow-x:auto}
.plot svg{display:block;width:100%;height:auto;min-width:480px}
.drawn .plot svg{width:auto;max-width:100%;min-width:0}
.legend{list-style:none;margin:0 0 8px;padding:0;display:flex;flex-wrap:wrap;gap:2px 16px;font-size:13px;color:var(--muted)}
.legend li{display:flex;align-items:center;gap:6px}
.empty{text-align:center;color:var(--muted);background:var(--faint);border-radius:8px;padding:28px 20px;font-size:14px}
.empty strong{display:block;color:var(--ink)}
details{font-size:13px}
summary{cursor:pointer;color:var(--muted);max-width:100%;padding:12px 0;line-height:20px}
summary:hover{color:var(--ink)}
.scroll{overflow:auto;max-height:360px;margin-top:8px;border:1px solid var(--line);border-radius:6px}
table{border-collapse:collapse;width:100%;font-size:13px}
th,td{text-align:left;padding:5px 10px;border-bottom:1px solid var(--line);font-weight:400;vertical-align:top;overflow-wrap:anywhere;min-width:84px}
thead th{position:sticky;top:0;background:var(--card);color:var(--muted);font-weight:600}
.n,.figures th+th,.figures td{text-align:right}
.figures td:not(:nth-last-child(2)){white-space:nowrap}
tbody th{white-space:nowrap}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.tip:hover>rect:first-of-type{fill:var(--faint)}
#crosshair{position:fixed;z-index:8;width:1px;background:var(--muted);pointer-events:none}
#tooltip{position:fixed;z-index:9;pointer-events:none;background:var(--ink);color:var(--card);font-size:13px;line-height:1.4;padding:7px 10px;border-radius:6px;max-width:min(340px,86vw);white-space:pre-line;overflow-wrap:anywhere}
@media screen and (max-width:999px){.charts{columns:1}}
@media screen and (max-width:899px){.kpis{grid-template-columns:repeat(2,minmax(0,1fr));gap:10px}
.board,.board tbody,.board tr,.board th,.board td{display:block}.board thead{display:none}.board tr{border-bottom:1px solid var(--line);padding:8px 0}.board tbody tr:last-child{border-bottom:0}
.board td,.board tbody th{border-bottom:0;padding:4px 2px}.board td.n{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 10px;text-align:left}.board td::before{content:attr(data-title);flex:1 0 130px;color:var(--muted);font-size:13px}.board .figure{font-size:15px}.board .kpi-change{flex:0 0 100%}.board .spark{flex:0 0 100%;max-width:340px;margin:4px 0}.board tbody th{width:auto}.causes{grid-column:1/-1}.shifts{columns:1}}
@media screen and (max-width:599px){header,main{padding-left:11px;padding-right:11px}.card{padding:14px 11px 12px}.kpi{padding:11px 12px}.kpi-value{font-size:23px}.ranges{width:100%}.ranges label{flex:1;text-align:center}.ranges span{padding:0 4px}}
@page{margin:10mm}
@media print{body{background:none;zoom:.68}header,main{max-width:none;padding:0}.controls,.search,details,#tooltip,#crosshair{display:none!important}
main:not(:has(>.project:target)) .project,main:has(>.overview:target) .project{display:table!important}.project,.project:target{display:table;width:100%;table-layout:fixed}
main:not(:has(>.project:target)) .project+.project,main:has(>.overview:target) .project+.project{break-before:page}
.running{display:table-header-group;break-inside:avoid;font-size:13px;text-align:right;color:var(--muted)}h2{margin-top:10px}.kpi{break-inside:avoid}
.kpis{grid-template-columns:repeat(4,minmax(0,1fr))}.charts{columns:2;column-gap:12px;margin-top:12px}.charts .card{margin-bottom:12px}.card{padding:12px 14px}.plot{overflow:visible}.plot svg,.drawn .plot svg{width:100%;min-width:0}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
`;
