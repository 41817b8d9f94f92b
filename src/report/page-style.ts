import { DARK, declarations, LIGHT } from './palette.ts';

/** The style sheet of the page; projects are switched by radio buttons, without JavaScript. */
export function pageStyle(projectCount: number): string {
  return `${colours()}${STYLE}${switches(projectCount)}`;
}

function colours(): string {
  return `:root{color-scheme:light dark;${declarations(LIGHT)}}
@media (prefers-color-scheme:dark){:root{${declarations(DARK)}}}
@media print{:root{color-scheme:light;${declarations(LIGHT)}}}
`;
}

function switches(projectCount: number): string {
  const all = Array.from({ length: projectCount }, (_, index) => index);
  const list = (selector: (index: number) => string): string => all.map(selector).join(',');
  if (projectCount === 0) return '';
  return `${list((i) => `#pick-${i}:checked~main>#project-${i}`)}{display:block}
${list((i) => `#pick-${i}:checked~header label[for=pick-${i}]`)}{background:var(--own);color:var(--card);border-color:var(--own)}
${list((i) => `#pick-${i}:focus-visible~header label[for=pick-${i}]`)}{outline:3px solid var(--ownsoft);outline-offset:2px}
`;
}

const STYLE = `*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Noto Sans","Liberation Sans",sans-serif;font-variant-numeric:tabular-nums}
header,main,footer{max-width:1320px;margin:0 auto;padding:0 20px}
header{padding-top:28px}
h1{font-size:22px;line-height:1.2;margin:0 0 4px;letter-spacing:-.01em;font-weight:650}
h2{font-size:19px;margin:26px 0 2px;overflow-wrap:anywhere;font-weight:650}
h3{font-size:15px;margin:0;line-height:1.3;font-weight:650}
p{margin:0}
.meta,.subtitle,.note,footer{color:var(--muted);font-size:13px}
.subtitle{margin:2px 0 10px}
.note{margin-top:10px}
.warn{margin-top:10px;padding:8px 12px;border-left:4px solid var(--bad);background:var(--card);font-size:14px}
.pick{position:absolute;opacity:0;pointer-events:none}
.switch{display:flex;flex-wrap:wrap;gap:8px;margin-top:16px;max-height:180px;overflow:auto;padding:3px}
.switch label{border:1px solid var(--line);background:var(--card);border-radius:999px;padding:6px 14px;font-size:14px;cursor:pointer;max-width:100%;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.project{display:none}
.kpis{display:grid;grid-template-columns:repeat(4,minmax(0,1fr));gap:14px;margin-top:14px}
.kpi,.card{background:var(--card);border:1px solid var(--line);border-radius:10px}
.kpi{padding:14px 16px 12px;position:relative;display:flex;flex-direction:column}
.kpi-title{font-size:13px;color:var(--muted)}
.kpi-value{font-size:28px;line-height:1.2;font-weight:650;letter-spacing:-.02em;margin-top:2px}
.kpi-value .none{font-size:18px;font-weight:400;color:var(--muted);letter-spacing:0}
.kpi-change{font-size:14px;min-height:21px;color:var(--muted)}
.kpi-hint{font-size:12px;color:var(--muted)}
.good{color:var(--good)}.bad{color:var(--bad)}.flat{color:var(--muted)}
.spark{width:100%;height:30px;margin-top:8px;display:block}
.charts{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:16px;margin:18px 0 8px}
.card{padding:18px 18px 14px;min-width:0;display:flex;flex-direction:column;break-inside:avoid}
.wide-card{grid-column:1/-1}
.plot{display:none}
.plot svg{display:block;width:100%;height:auto;overflow:visible}
.half{display:block}
.wide-card .half{display:none}.wide-card .wide{display:block}
svg text{font-family:inherit}
.legend{list-style:none;margin:0 0 8px;padding:0;display:flex;flex-wrap:wrap;gap:2px 16px;font-size:13px;color:var(--muted)}
.legend li{display:flex;align-items:center;gap:6px}
.empty{flex:1;min-height:120px;display:grid;place-content:center;text-align:center;color:var(--muted);background:var(--faint);border-radius:8px;padding:20px;font-size:14px}
.empty strong{display:block;color:var(--ink)}
.ground{display:inline-block;width:18px;height:11px;background:var(--pending);border:1px solid var(--line);vertical-align:-1px;margin-right:4px}
details{margin-top:auto;padding-top:12px;font-size:13px}
summary{cursor:pointer;color:var(--muted);width:max-content;max-width:100%}
summary:hover{color:var(--ink)}
.scroll{overflow:auto;max-height:360px;margin-top:8px;border:1px solid var(--line);border-radius:6px}
table{border-collapse:collapse;width:100%;font-size:13px}
th,td{text-align:left;padding:5px 10px;border-bottom:1px solid var(--line);font-weight:400;vertical-align:top;overflow-wrap:anywhere;min-width:84px}
thead th{position:sticky;top:0;background:var(--card);color:var(--muted);font-weight:600}
.n{text-align:right;white-space:nowrap}
tbody th{white-space:nowrap}
footer{padding-top:14px;padding-bottom:36px}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.tip:hover{stroke:var(--muted);stroke-opacity:.55;stroke-width:1}
#tooltip{position:fixed;z-index:9;pointer-events:none;background:var(--ink);color:var(--card);font-size:13px;line-height:1.4;padding:7px 10px;border-radius:6px;max-width:min(340px,86vw);white-space:pre-line;overflow-wrap:anywhere}
#tooltip[hidden]{display:none}
@media (max-width:1099px){.charts{grid-template-columns:minmax(0,1fr)}.wide-card .wide{display:none}.wide-card .half{display:block}.plot{max-width:820px}}
@media (max-width:759px){.kpis{grid-template-columns:repeat(2,minmax(0,1fr));gap:10px}}
@media (max-width:599px){header,main,footer{padding-left:11px;padding-right:11px}.card{padding:14px 11px 12px}.kpi{padding:11px 12px}.kpi-value{font-size:23px}
.plot,.wide-card .half{display:none}.narrow,.wide-card .narrow{display:block;max-width:440px}}
@media print{body{background:none;font-size:12px}header,main,footer{max-width:none;padding-left:0;padding-right:0}.switch,details,#tooltip{display:none}.charts{grid-template-columns:minmax(0,1fr)}
.plot,.wide-card .wide,.wide-card .narrow{display:none}.kpis{grid-template-columns:repeat(4,minmax(0,1fr))}.half,.wide-card .half{display:block;max-width:580px}.kpi{break-inside:avoid}*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
`;
