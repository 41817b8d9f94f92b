import type { Command } from 'commander';
import { z } from 'zod';
import { defined, type CommandHost } from './host.ts';
import type { DraftReport } from '../draft/draft-run.ts';
import type { DraftBody } from '../endpoints/drafts.ts';
import { valueFlag, someText, switchFlag } from './flags.ts';
import { usageError, visibleText } from '../errors.ts';

const uuid = z.guid({ error: ({ input }) => `${JSON.stringify(input)} is not a UUID` });
const slug = z.string().trim().min(1, 'must not be empty');

const flagSchema = z.strictObject({
  connection: valueFlag('<uuid>', 'the CMS connection (default: the server chooses)', uuid),
  slug: valueFlag('<slug>', 'slug of the item in the CMS (default: the server chooses)', slug),
  account: valueFlag('<name>', 'account of the configuration, if there are several', z.string()),
  project: valueFlag('<id>', 'project of the document, if the key reaches several', someText),
  yes: switchFlag('write without asking for confirmation'),
});

/** `answerlake draft push`: the one writing call of the API. */
export function define(command: Command, host: CommandHost): void {
  const push = command.helpCommand(false).command('push');
  definePush(push.description('Write a content document to the connected CMS, unpublished'), host);
}

const ARGUMENT = ['<content-id>', 'the content document'] as const;

const definePush = defined({ flags: flagSchema, argument: ARGUMENT }, async (context, flags, words) => {
  const contentId = (words[0] ?? '').trim();
  if (contentId === '') throw usageError('The content id is empty.');
  const mayAsk = context.io.isInteractive && !context.flags.json;
  if (!flags.yes && !mayAsk) {
    throw usageError([
      'This writes to the CMS, and there is no terminal to ask for confirmation:',
      'add --yes. Nothing was sent.',
    ]);
  }
  const config = context.loadConfig();
  const { chooseAccount, pushAndRecord } = await import('../draft/draft-run.ts');
  const account = chooseAccount(config, flags.account);
  const request = { contentId, connectionId: flags.connection ?? null, slug: flags.slug ?? null };
  const report = await pushAndRecord(await context.runContext(config, 'warn'), {
    account,
    project: flags.project ?? null,
    request,
    confirm: async (projectId) => flags.yes || (await isConfirmed({ ...request, projectId })),
  });
  if (report === null) {
    context.note('Nothing was sent.');
    return 0;
  }
  context.printResult(report, () => summarise(report));
  return report.exit_code;
});

async function isConfirmed(push: DraftBody['request'] & { projectId: string }): Promise<boolean> {
  const { confirm } = await import('@clack/prompts');
  const { contentId, projectId, connectionId: id, slug } = push;
  const connection = id === null ? 'the CMS that the server chooses' : `the CMS connection ${id}`;
  const draft = slug === null ? 'a draft' : `the draft "${slug}"`;
  const question = `Write content ${contentId} of project ${projectId} to ${connection} as ${draft}?`;
  return (await confirm({ message: visibleText(question), initialValue: false })) === true;
}

function summarise({ reject, status, slug, published, ...report }: DraftReport): string {
  const pushed = `Pushed: ${status ?? 'no status'}, nothing is live
  item       ${report.external_item_id ?? ''} (slug ${slug ?? ''})
  record     ${report.publish_record_id ?? ''} in core.cms_drafts`;
  const kept = `Pushed, but the answer is not as documented, so it is kept only in meta.rejects
  why        ${reject ?? ''}`;
  return `${reject === null ? pushed : kept}\n  published  ${published ?? 'nothing new'}`;
}
