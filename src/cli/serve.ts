import { rm } from 'node:fs/promises'
import { createUserHandlers } from '../adapters/user-handlers.ts'
import { curlExample } from '../admin/curl.ts'
import { LiveMistakes } from '../mistakes/live-mistakes.ts'
import { isFailing } from '../report/mistake-lines.ts'
import { listen } from '../server/listen.ts'
import { handlersOf } from '../server/middleware.ts'
import { diffSettings, resolveSettings, type SettingOverrides } from '../settings/resolve.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { didYouMean, UsageError } from '../utils/errors.ts'
import { failToWrite, isJsonFile, statsOf } from '../utils/files.ts'
import { nameOfFile } from '../utils/input.ts'
import { escapeControls, formatCount } from '../utils/text.ts'
import { version } from '../utils/version.ts'
import { fixtureNames } from '../world/load/read-world.ts'
import { writeNamedFile } from '../world/persistence/atomic-write.ts'
import { persistInFile } from '../world/persistence/persist-in-file.ts'
import { describeAccess, type KeyRow, type ProjectRow } from '../world/rows.ts'
import { defineCommand } from './command.ts'
import type { CommandContext, Paint } from './command-context.ts'
import {
  closedAdmin,
  isAdminOpen,
  openServed,
  type ServedSource,
  type ServeFlags,
  serveFlags,
  toListenOptions,
} from './from-flags.ts'
import { RequestLog } from './log.ts'
import { filesToWatch, type WatchedFile, watchFile } from './watched-files.ts'

const help = `
Examples:
  npx understudy-api                                   world "default" at http://127.0.0.1:4010
  npx understudy-api serve --port 0 --world odd         another fixture, on any free port
  npx understudy-api serve --world ./world.json --watch   reload the file when it changes
  npx understudy-api serve --state ./state.json        keep changes across restarts
  npx understudy-api serve --scenario ./story.json     the world and the faults of a scenario
  npx understudy-api serve --set annotations.delete.status=404 --set limits.rate=480_per_minute

Each flag has an environment variable. The flag takes precedence.`

export default defineCommand({
  name: 'serve',
  isServer: true,
  summary: 'Serve the API over HTTP.',
  flags: serveFlags,
  help,
  configure: (command) => command.allowExcessArguments(),
  run(_args, flags, context, { args: [argument] }) {
    // An argument is most often the world.
    if (argument === undefined) return serve(flags, context)
    const isWorld = fixtureNames.includes(argument) || isJsonFile(argument)
    const world = isWorld ? argument : didYouMean(argument, fixtureNames)
    const hint =
      world === undefined ? 'Name a world with --world.' : `Did you mean --world ${world}?`
    throw new UsageError(`Unexpected argument ${JSON.stringify(argument)}. ${hint}`)
  },
})

/** Serves until the user interrupts. @param use gets the URL of the server, which ends when it is done */
export async function serve(
  flags: ServeFlags,
  context: CommandContext,
  use?: (url: string) => Promise<void>,
): Promise<number> {
  const watched = flags.watch ? filesToWatch(flags) : []
  const { handlers, ...options } = await toListenOptions(flags)
  // One handler, which stays the same when the module of the others is loaded again.
  const userHandlers = createUserHandlers([])
  const urlFile = flags.urlFile === undefined ? null : await openUrlFile(flags.urlFile)
  const log = flags.quiet ? null : new RequestLog(context)
  const source = await openServed(flags, context)
  const { simulator } = source
  simulator.faults.addInitial(flags.fault)
  log?.follow(simulator)
  const mistakes =
    flags.mistakes === 'off' || (!log && flags.mistakes === 'print')
      ? null
      : new LiveMistakes(simulator, (mistake) => {
          // The line of its request says what was ignored.
          if (mistake.rule !== 'ignored-input') log?.mistake(mistake)
        })
  const onError = (error: unknown) => context.printError((error as Error).message)
  const persistence = flags.state ? await persistInFile(simulator, flags.state, onError) : null
  userHandlers.current = handlersOf(simulator, handlers)
  const server = await listen(simulator, {
    ...options,
    ...(handlers && { handlers: [userHandlers] }),
    onForward: ({ url, ...line }, refusal) =>
      log?.forwarded({ ...line, path: simulator.journal.redactUrl(url) }, refusal),
    onInvalidRequest: ({ url, ...problem }) =>
      log?.invalidRequest({ ...problem, url: url && simulator.journal.redactUrl(url) }),
    onNotFound: (method, url) => log?.notFound(method, simulator.journal.redactUrl(url)),
  }).catch(async (error) => {
    await persistence?.close()
    throw error
  })
  const served = { simulator, userHandlers, seed: flags.seed }
  const watches = watched.map((file) => watchFile(served, file, log, context))
  // Before the URL is printed, because its reader may interrupt at once.
  const interrupted = context.interrupted(flags.handlers)
  const resumed = persistence?.resumed ?? false
  if (flags.json) context.printJson(startReport(source, server.url, flags), 0)
  else if (flags.quiet) context.print(server.url)
  else context.print(startText(source, server.url, { ...flags, resumed, watched }, context.paint))
  let isSaved = true
  try {
    await urlFile?.write(server.url)
    const crash = await Promise.race([interrupted, ...(use ? [use(server.url)] : [])])
    if (crash) throw crash
  } finally {
    await urlFile?.remove()
    await Promise.all(watches.map((stop) => stop()))
    await server.close({ timeout: 5_000 })
    if (persistence) isSaved = await persistence.close()
  }
  const breaches = mistakes?.finish().mistakes ?? []
  if (!isSaved) throw new Error(`The last changes were not saved to ${flags.state}.`)
  return flags.mistakes === 'fail' && breaches.some(isFailing) ? 1 : 0
}

/** A file that says where a server is, as long as it runs. A server that was killed can have left one. */
async function openUrlFile(file: string) {
  const remove = async () => {
    // A device or a pipe is not this server's to remove.
    if (statsOf(file)?.isFile() !== false) await rm(file, { force: true }).catch(failToWrite(file))
  }
  await remove()
  const write = (url: string) => writeNamedFile(file, `${url}\n`, 0o644)
  return { write, remove }
}

/** Describes a server for machines: what `serve --json` prints when the server has started. */
function startReport(source: ServedSource, url: string, flags: ServeFlags): object {
  const { simulator, scenario } = source
  const { keys, world } = simulator
  const { forward, profile } = flags
  return {
    url,
    admin_url: `${url}/__admin`,
    dashboard_url: `${url}/__admin/`,
    ...(forward !== undefined && { forward }),
    keys: keys.list().map(({ user: _, ...key }) => key),
    projects: world.projects
      .list()
      .map(({ id, name, organization }) => ({ id, name, organization })),
    ...(scenario !== null && { scenario }),
    profile,
    settings: changedSettings(simulator, flags),
  }
}

interface StartFlags extends ServeFlags {
  /** Whether the world is that of the file of --state, and not that of --world */
  readonly resumed: boolean
  readonly watched: readonly WatchedFile[]
}

/** Describes a server for people: its URLs, keys and projects, and a command to try. */
function startText(source: ServedSource, url: string, flags: StartFlags, paint: Paint): string {
  const { simulator, scenario } = source
  const { state, watched, settings, set, resumed } = flags
  const isOfFile = (id: string): boolean => id in Object(settings?.settings) && !(id in set)
  const file = `, from ${escapeControls(settings?.file ?? '')}`
  const { keys, world } = simulator
  const curl = curlExample(url, keys.list(), world.projects.list(), flags.tlsCert?.name)
  const lines = [
    `${paint('strong', `Understudy ${version}`)} is serving ${describeSource(source, flags)}.`,
    state !== undefined &&
      (resumed
        ? `Changes are saved there. A reset returns to world "${nameOfFile(flags.world)}".`
        : `Changes are saved in ${state}.`),
    ...watched.map(({ file, has }) =>
      has === 'world'
        ? `Changes in ${file} are loaded; rows written since then are discarded.`
        : `Changes in ${file} are loaded.`,
    ),
    scenario === null && advice[flags.profile],
    '',
    ...urlLines(url, flags, paint),
    ...section('Keys', simulator.keys.list(), (keys) => keyLines(keys, simulator, paint)),
    ...section('Projects', simulator.world.projects.list(), (rows) => projectLines(rows, paint)),
    ...section('Settings', Object.entries(changedSettings(simulator, flags)), (changed) =>
      changed.map(([id, value]) => `${id} = ${value}${isOfFile(id) ? file : ''}`),
    ),
    ...(curl === null ? [] : ['', 'Try:', `  ${curl}`]),
    '',
    'Press Ctrl-C to stop.',
  ]
  return lines.filter((line) => typeof line === 'string').join('\n')
}

/** When the profile is the right one. */
const advice = {
  documented:
    "It follows the API's document. If your client talks to the real service, add --profile live.",
  live: "It follows the service's source of May to July 2024. Check yours with npx understudy-api compare --target URL.",
} as const

function describeSource({ simulator, scenario }: ServedSource, flags: StartFlags): string {
  const { length } = Object.keys(changedSettings(simulator, flags))
  const changes = length === 0 ? '' : ` with ${formatCount(length, 'other setting')}`
  const rows = flags.resumed ? `the world of ${flags.state}` : `world "${nameOfFile(flags.world)}"`
  const world =
    scenario === null ? rows : `the world and the faults of "${escapeControls(scenario)}"`
  return `${world}, profile "${flags.profile}"${changes}`
}

/** The settings that differ from the profile. A scenario can have a profile of its own, and brings its settings. */
function changedSettings({ settings }: Simulator, flags: ServeFlags): SettingOverrides {
  return diffSettings(resolveSettings(flags.profile), settings.values)
}

function urlLines(url: string, flags: ServeFlags, paint: Paint): string[] {
  const { forward } = flags
  const name = (path: string): string => paint('name', url + path)
  const isOpen = isAdminOpen(flags)
  return [
    `  API       ${name('')}`,
    ...(isOpen ? [`  Dashboard ${name('/__admin/')}`] : []),
    `  Reference ${name(isOpen ? '/__admin/docs/' : '/openapi.json')}`,
    ...(isOpen ? [] : [`  Admin     ${closedAdmin}`]),
    ...(forward === undefined
      ? []
      : [`  Forward   ${paint('name', forward)} gets other paths, without keys`]),
  ]
}

/** How many keys and projects are listed. */
const maxListed = 12

function section<Row>(
  title: string,
  rows: readonly Row[],
  format: (rows: readonly Row[]) => readonly string[],
): string[] {
  const rest = rows.length - maxListed
  const lines = [...format(rows.slice(0, maxListed)), ...(rest > 0 ? [`… and ${rest} more`] : [])]
  return lines.map((line, index) => `  ${(index === 0 ? title : '').padEnd(10)}${line}`)
}

/** The value, the label and the access of each key. A key without a label of its own has its value as label. */
function keyLines(keys: readonly KeyRow[], simulator: Simulator, paint: Paint): string[] {
  if (keys.length === 0) return [noKeys]
  const labels = keys.map(({ label, value }) => (label === value ? '' : JSON.stringify(label)))
  const valueWidth = Math.max(...keys.map(({ value }) => value.length))
  const labelWidth = Math.max(...labels.map((label) => label.length))
  return keys.map((key, index) => {
    const value = paint('name', key.value.padEnd(valueWidth))
    const label = labelWidth === 0 ? '' : `${labels[index]?.padEnd(labelWidth)}  `
    return `${value}  ${label}${describeAccess(key, simulator.settings.values)}`
  })
}

const noKeys =
  'none, so every request to the API is refused. Add "keys" to the file of the world, or "generate": {}.'

function projectLines(rows: readonly ProjectRow[], paint: Paint): string[] {
  return rows.map(({ id, name, organization }) => {
    const owner = `organization ${escapeControls(organization)}`
    return `${paint('name', String(id))}  ${escapeControls(name)}, ${owner}`
  })
}
