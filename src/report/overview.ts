import { changeMarkup, headlineOf, kpiOf, MEASURES, sparkLine, windowOf } from './key-figures.ts';
import { markup, type Markup } from './markup.ts';
import type { ChartData } from './read-projects.ts';

/** A project in a line of the overview. */
export interface OverviewProject {
  name: string;
  /** Address of its page; null: it has none. */
  address: string | null;
  /** Milliseconds since the newest answer where that is too long; else 0. */
  staleMs: number;
  /** That in words. */
  late: string | null;
  charts: Pick<ChartData, 'kpis' | 'daily'>;
}

// Columns of the overview; a page of a project has all.
const SHOWN = ['visibility', 'share_of_voice', 'net_sentiment_known', 'citations', 'ai_visits'];

/** More projects than these can be searched. */
const MAX_UNSEARCHED = 9;

/** Projects that need a look first: those without new days, then those that fell most clearly. */
export function byUrgency<Project extends Pick<OverviewProject, 'staleMs' | 'charts'>>(
  projects: readonly Project[],
  wanted: number,
): Project[] {
  const days = overviewDays(projects, wanted);
  const urgencyOf = ({ staleMs, charts }: Project): number =>
    staleMs / 86_400 + headlineOf(charts, days).urgency;
  return projects.toSorted((a, b) => urgencyOf(b) - urgencyOf(a));
}

/** The days that all lines of the overview are about. */
export function overviewDays(projects: readonly Pick<OverviewProject, 'charts'>[], wanted: number): number {
  return windowOf(
    projects.map(({ charts }) => charts),
    wanted === 0 ? Infinity : wanted,
  );
}

/** Every project on one page, a line each. */
export function overviewBody(projects: readonly OverviewProject[], wanted: number): Markup {
  const days = overviewDays(projects, wanted);
  const measures = MEASURES.filter(({ key }) => SHOWN.includes(key));
  const head = measures.map(
    ({ title, hint }) => markup`<th scope="col" class="n">${title}<span class="usual">${hint}</span></th>`,
  );
  const rows = byUrgency(projects, wanted).map(({ name, address, late: words, charts }) => {
    const cells = measures.map((measure) => {
      const kpi = kpiOf(charts, measure.key, days);
      if (kpi === undefined || kpi.value === null)
        return markup`<td class="n none" data-title="${measure.title}">–</td>`;
      const figures = charts.daily[measure.key].slice(-days);
      return markup`<td class="n" data-title="${measure.title}"><span class="figure">${measure.format(kpi.value)}</span><span class="kpi-change">${changeMarkup(measure, kpi)}</span>${sparkLine(figures)}</td>`;
    });
    const late = words === null ? '' : markup`<strong>${words}</strong> `;
    const title = markup`<bdi>${name}</bdi>`;
    const link = address === null ? title : markup`<a class="open" href="${address}">${title}</a>`;
    return markup`<tr data-name="${name}"${words === null ? '' : markup` class="stale"`}><th scope="row">${link}<p class="usual">${late}${headlineOf(charts, days).words}</p></th>${cells}</tr>
`;
  });
  const search =
    projects.length > MAX_UNSEARCHED
      ? markup`<p class="search" hidden><input type="search" placeholder="Search projects" aria-label="Search projects" autocomplete="off"></p><p class="empty nothing" hidden>No project has this in its name.</p>`
      : '';
  return markup`<h2>All projects, last ${days} days</h2>
<p class="meta">Compared with the ${days} days before; projects that need attention come first.</p>${search}
<div class="card scroll-x"><table class="board"><thead><tr><th scope="col">Project</th>${head}</tr></thead><tbody>${rows}</tbody></table></div>`;
}
