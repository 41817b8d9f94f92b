import { openPublishedFile, type PublishedFile } from '../../src/publish/published-file.ts';
import { openDemoWorld } from '../bi/demo-world.ts';
import type { Rig } from '../flow/rig.ts';

export interface DemoFile extends AsyncDisposable {
  rig: Rig;
  file: PublishedFile;
}

/** The published file of the demo world: 2026-05-01 to 2026-07-13, and the running day. */
export async function openDemoFile(): Promise<DemoFile> {
  const rig = await openDemoWorld();
  const file = await openPublishedFile(rig.config.warehouse.path);
  return {
    rig,
    file,
    [Symbol.asyncDispose]: async () => {
      await file[Symbol.asyncDispose]();
      await rig[Symbol.asyncDispose]();
    },
  };
}
