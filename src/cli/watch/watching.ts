import { fixtureNames } from '../../read-world.ts'
import { unexpectedValue } from '../../usage-error.ts'
import type { WorldJson } from '../../world/world-json.ts'
import type { ServedSource } from '../served.ts'
import { RecordingReloader } from './reload-recording.ts'
import { WorldReloader } from './reload-world.ts'
import type { ReloadSummary } from './reloaded.ts'
import { type FileState, type FileWatcher, readFileState, watchFile } from './watch-file.ts'

/** The flags that say what is watched. */
export interface WatchFlags {
  readonly watch?: boolean
  readonly data: string
  readonly recording?: string
  readonly seed?: number
}

/** Who is told what came of it. */
export interface ReloadListener {
  reloaded(file: string, reloaded: ReloadSummary): void
  /** Of a file with faults: all is as it was. */
  reloadFailed(file: string, message: string): void
}

/** Tells faults alone. */
export const logErrorsOnly: ReloadListener = {
  reloaded() {},
  reloadFailed: (_file, message) => console.error(message),
}

/** The file that flags say to watch, as it is before it is read. @throws UsageError where there is none */
export function fileToWatch({ watch, data, recording }: WatchFlags): FileState | null {
  if (!watch) return null
  if (recording !== undefined || !fixtureNames.includes(data))
    return readFileState(recording ?? data)
  const expected = 'a file to watch, by --data or --recording'
  throw unexpectedValue('read --watch', expected, `the world ${data} of the package`)
}

/** Watches the file that a server answers from, and takes over what changed in it since it was seen. */
export function watchServed(
  { simulator, world, recording }: ServedSource,
  { seed }: Pick<WatchFlags, 'seed'>,
  seen: FileState,
  listener: ReloadListener,
): Promise<FileWatcher> {
  const { file } = seen
  const reloader = recording
    ? new RecordingReloader(recording)
    : new WorldReloader(simulator, file, seed, world as WorldJson)
  return watchFile(seen, async () => {
    try {
      listener.reloaded(file, await reloader.reload())
    } catch (error) {
      const { message } = error as Error
      const cure = 'All is as it was before; it is read again when it changes.'
      listener.reloadFailed(file, `${message}\n${cure}`)
    }
  })
}
