import type { Day } from '../day.ts';
import { markup, type Markup } from './markup.ts';
import { MEASURES } from './measures.ts';
import { formatDay } from './numbers.ts';
import { nameOf, noShift, shiftWords } from './project-section.ts';
import type { ProjectData } from './report-data.ts';
import { sparkLine } from './spark.ts';
import { changeMarkup } from './tiles.ts';

const MOST_SHIFTS = 10;

// Columns of the overview; a page of a project has all.
const SHOWN = ['visibility', 'share_of_voice', 'net_sentiment_known', 'citations', 'ai_visits'];

/** How a project is opened from the overview. */
export type ProjectLink = (project: ProjectData, index: number) => Markup;

/** Every project on one page: a line each, and the newest shifts of all. */
export function overviewSection(projects: readonly ProjectData[], link: ProjectLink): Markup {
  const measures = MEASURES.filter(({ key }) => SHOWN.includes(key));
  const head = measures.map(
    ({ title, hint }) => markup`<th scope="col" class="n">${title}<span class="usual">${hint}</span></th>`,
  );
  const rows = projects.map((project, index) => {
    const cells = measures.map((measure) => {
      const kpi = project.kpis.find(({ measure: key }) => key === measure.key);
      if (kpi === undefined || kpi.value === null)
        return markup`<td class="n none" data-title="${measure.title}">–</td>`;
      return markup`<td class="n" data-title="${measure.title}"><span class="figure">${measure.format(kpi.value)}</span><span class="kpi-change">${changeMarkup(measure, kpi)}</span></td>`;
    });
    return markup`<tr><th scope="row">${link(project, index)}</th><td class="trend" data-title="Visibility, 90 days">${sparkLine(project.charts.daily.visibility.slice(-90))}</td>${cells}</tr>
`;
  });
  const items = newestShifts(projects).map(
    ({ date, project, words }) =>
      markup`<li><strong>${formatDay(date)}</strong> <span><bdi>${nameOf(project)}</bdi>: ${words.join('; ')}</span></li>`,
  );
  return markup`<section class="project overview" id="overview" aria-labelledby="overview-h"><h2 id="overview-h">All projects</h2>
<p class="meta lead">Last 28 whole days against the 28 before. Colour and arrow mark changes beyond what the series does by itself.</p>
<div class="card scroll-x"><table class="board"><thead><tr><th scope="col">Project</th><th scope="col">Visibility, 90 days</th>${head}</tr></thead><tbody>${rows}</tbody></table></div>
<section class="card" aria-labelledby="shifts-h"><h3 id="shifts-h">Newest shifts of level</h3><p class="subtitle">14-day means on either side of a day, beyond what the series does by itself</p>${items.length === 0 ? noShift(projects) : markup`<ul class="shifts">${items}</ul>`}</section></section>
`;
}

/** Shifts of one day and project are one line. */
function newestShifts(
  projects: readonly ProjectData[],
): { date: Day; project: ProjectData; words: string[] }[] {
  const days = projects.flatMap((project) => {
    const dates = [...new Set(project.shifts.map(({ date }) => date))];
    return dates.map((date) => ({
      date,
      project,
      words: project.shifts.filter((shift) => shift.date === date).map((shift) => shiftWords(shift)),
    }));
  });
  return days.sort((a, b) => (a.date < b.date ? 1 : -1)).slice(0, MOST_SHIFTS);
}
