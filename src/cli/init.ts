import { Command } from 'commander'
import { putWorkerFile } from './worker-file/put-worker-file.ts'

/** Puts MSW's worker file where a page finds it. */
export function initCommand(): Command {
  return new Command('init')
    .description('Copy the worker file of the msw in use to a folder that is served, or update it.')
    .argument('<folder>', 'the root of what is served, such as public')
    .addHelpText('after', '\nExample:\n  understudy init public')
    .action(async (folder: string) => {
      const { file, version, was } = await putWorkerFile(folder)
      const did =
        was === null
          ? `Wrote ${file}, of`
          : was === version
            ? `${file} is already that of`
            : `Updated ${file} from msw ${was} to`
      console.log(`${did} msw ${version}.`)
    })
}
