import { fixtureNames } from '../../read-world.ts'
import { unexpected } from '../../usage-error.ts'
import type { WorldJson } from '../../world/world-json.ts'
import type { Served } from '../served.ts'
import { RecordingReloader } from './reload-recording.ts'
import { WorldReloader } from './reload-world.ts'
import type { Reloaded } from './reloaded.ts'
import { type SeenFile, seeFile, type WatchedFile, watchFile } from './watch-file.ts'

/** The flags that say what is watched. */
export interface WatchFlags {
  readonly watch?: boolean
  readonly data: string
  readonly recording?: string
  readonly seed?: number
}

/** Who is told what came of it. */
export interface ReloadListener {
  reloaded(file: string, reloaded: Reloaded): void
  /** Of a file with faults: all is as it was. */
  notReloaded(file: string, message: string): void
}

/** Tells faults alone. */
export const errorsOnly: ReloadListener = {
  reloaded() {},
  notReloaded: (_file, message) => console.error(message),
}

/** The file that flags say to watch, as it is before it is read. @throws UsageError where there is none */
export function toWatch({ watch, data, recording }: WatchFlags): SeenFile | null {
  if (!watch) return null
  if (recording !== undefined || !fixtureNames.includes(data)) return seeFile(recording ?? data)
  const expected = 'a file to watch, by --data or --recording'
  throw unexpected('read --watch', expected, `the world ${data} of the package`)
}

/** Watches the file that a server answers from, and takes over what changed in it since it was seen. */
export function watchServed(
  { simulator, world, recording }: Served,
  { seed }: Pick<WatchFlags, 'seed'>,
  seen: SeenFile,
  listener: ReloadListener,
): Promise<WatchedFile> {
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
      listener.notReloaded(file, `${message}\n${cure}`)
    }
  })
}
