import { didYouMean } from '../utils/errors.ts'
import { isJsonFile } from '../utils/files.ts'
import { quoteForShell } from '../utils/text.ts'
import { fixtureNames } from '../world/load/read-world.ts'
import { defineCommand } from './command.ts'
import { flagsOf } from './flags.ts'
import { serve } from './run-server.ts'

const help = `
Examples:
  npx understudy-api                                   world "default" at http://127.0.0.1:4010
  npx understudy-api serve --port 0 --world odd         another fixture, on any free port
  npx understudy-api serve --world ./world.json --watch   reload the file when it changes
  npx understudy-api serve --state ./state.json        keep changes across restarts
  npx understudy-api serve --scenario ./story.json     the world and the faults of a scenario
  npx understudy-api serve --set annotations.delete.status=404 --set limits.rate=480_per_minute

Each flag but --key has an environment variable. The flag takes precedence.`

export default defineCommand({
  name: 'serve',
  isServer: true,
  summary: 'Serve the API over HTTP.',
  flags: flagsOf('serve'),
  help,
  inPlaceOf(argument) {
    // It is most often the world.
    const isWorld = fixtureNames.includes(argument) || isJsonFile(argument)
    const world = isWorld ? argument : didYouMean(argument, fixtureNames)
    if (world === undefined) return 'Name a world with --world.'
    return `Did you mean --world ${quoteForShell(world)}?`
  },
  run: (_args, flags, context) => serve(flags, context),
})
