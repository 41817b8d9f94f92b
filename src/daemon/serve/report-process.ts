import { z } from 'zod';
import { drawPage } from './report-page.ts';

const sourceSchema = z.object({ path: z.string(), title: z.string(), logo: z.string().nullable() });
const requestSchema = z.object({ nowMs: z.number(), projectId: z.string().optional() });

// Started by `drawApart` with what to draw, and for when and whom.
const [source = '', request = ''] = process.argv.slice(2);
const { nowMs, projectId } = requestSchema.parse(JSON.parse(request));
process.stdout.write(await drawPage(sourceSchema.parse(JSON.parse(source)), { nowMs, projectId }));
