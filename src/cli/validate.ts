import { endpoints } from '../api/endpoints.ts'
import { findRoute } from '../api/find-route.ts'
import { suggestEndpoints } from '../http/unknown-path.ts'
import { isRequestStep, type Step } from '../scenarios/format/scenario.ts'
import { readScenario } from '../scenarios/library.ts'
import { resolveSettings } from '../settings/resolve.ts'
import { createSimulator } from '../simulator.ts'
import { inspectValue } from '../utils/errors.ts'
import { readWorld, ScenarioFileError } from '../world/load/read-world.ts'
import type { KeyRow } from '../world/rows.ts'
import { defineCommand } from './command.ts'
import { namingFile } from './from-flags.ts'
import { formatCount, formatRowCounts } from './output.ts'
import { simulatorFor } from './scenario-simulator.ts'

const help = `
Examples:
  npx understudy-api validate ./world.json
  npx understudy-api validate ./story.json

Exit code 2 if the file has issues. A path outside the API and a label of two keys are warnings.`

export default defineCommand({
  name: 'validate',
  summary: 'Check a world or scenario file, and list every issue with its path.',
  args: [['<file>', 'world or scenario file, or the name of a fixture']],
  flags: { '--json': 'print the number of rows or steps, or the issues, as JSON' },
  help,
  async run([file], _flags, context) {
    const { counts, kind, size, warnings } = await readContents(file)
    for (const warning of warnings) context.printError(`Warning: ${warning}`)
    return {
      json: { file, ...counts, ...(warnings.length > 0 && { warnings }) },
      text: `${file} ${context.paint('good', `is a valid ${kind}`)}: ${size}.`,
    }
  },
})

interface FileContents {
  readonly kind: 'world' | 'scenario'
  readonly counts: object
  readonly size: string
  readonly warnings: readonly string[]
}

/** @throws UsageError with a heading that fits the command, and every issue of the file */
async function readContents(file: string): Promise<FileContents> {
  try {
    const { world, keys } = await namingFile('world', file, async () =>
      createSimulator({ world: await readWorld(file) }),
    )
    const { counts: rows } = world
    const warnings = findRepeatedLabels(keys.list())
    return { kind: 'world', counts: { rows }, size: formatRowCounts(rows), warnings }
  } catch (error) {
    if (!(error instanceof ScenarioFileError)) throw error
  }
  const all = await namingFile('scenario', file, () => readSteps(file))
  const { length: steps } = all
  const size = formatCount(steps, 'step')
  return { kind: 'scenario', counts: { steps }, size, warnings: findUnknownPaths(all) }
}

function findRepeatedLabels(keys: readonly KeyRow[]): string[] {
  const labels = new Set<string>()
  return keys.flatMap(({ label }, index) =>
    labels.size < labels.add(label).size
      ? []
      : [`keys[${index}].label: ${inspectValue(label)} names an earlier key`],
  )
}

/** Warns of paths that no operation has. A step that expects a 404 means it, and a path can begin with a saved value. */
function findUnknownPaths(steps: readonly Step[]): string[] {
  const settings = resolveSettings('live')
  return steps.flatMap((step, index) => {
    if (!isRequestStep(step) || step.path.startsWith('{') || step.expect?.status === 404) return []
    const { method, path } = step
    if (findRoute({ method, target: path }, settings)) return []
    const [nearest] = path.startsWith('/api/')
      ? suggestEndpoints(method, path, endpoints, settings)
      : []
    const hint = nearest
      ? `${nearest.difference}, as in ${nearest.route}`
      : 'paths begin with /api/'
    return [`steps[${index}].path: the API has no path ${JSON.stringify(path)} (${hint})`]
  })
}

/** Reads a scenario, and checks it as a replay does before the first step. */
async function readSteps(file: string): Promise<readonly Step[]> {
  const scenario = await readScenario(file)
  const simulator = await simulatorFor(scenario, 'default')
  await simulator.replay(scenario, { world: 'default', dry_run: true })
  return scenario.steps
}
