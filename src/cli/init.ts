import { Command } from 'commander'
import { printJson } from './output/print-json.ts'
import { type CopiedWorkerFile, copyWorkerFile } from './worker-file/put-worker-file.ts'

/** Puts MSW's worker file where a page finds it. */
export function initCommand(): Command {
  return new Command('init')
    .description('Copy the worker file of the msw in use to a folder that is served, or update it.')
    .argument('<folder>', 'the root of what is served, such as public')
    .option('--json', 'print JSON: the file, its version, and what it was before')
    .addHelpText('after', '\nExample:\n  understudy init public')
    .action(async (folder: string, { json }: { json?: boolean }) => {
      const put = await copyWorkerFile(folder)
      if (json) printJson(put)
      else console.log(initMessage(put))
    })
}

function initMessage({ file, version, was }: CopiedWorkerFile): string {
  if (was === null) return `Wrote ${file}, of msw ${version}.`
  if (was === version) return `${file} is already that of msw ${version}.`
  return `Updated ${file} from msw ${was} to msw ${version}.`
}
