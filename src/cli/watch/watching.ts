import { fixtureNames } from '../../read-world.ts'
import { unexpected } from '../../usage-error.ts'
import type { WorldJson } from '../../world/world-json.ts'
import type { Served } from '../served.ts'
import { RecordingReloader } from './reload-recording.ts'
import { WorldReloader } from './reload-world.ts'
import type { Reloaded } from './reloaded.ts'
import { type WatchedFile, watchFile } from './watch-file.ts'

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

/** @throws UsageError where there is no file to watch */
export function checkWatch({ watch, data, recording }: WatchFlags): void {
  if (!watch || recording !== undefined || !fixtureNames.includes(data)) return
  const expected = 'a file to watch, by --data or --recording'
  throw unexpected('read --watch', expected, `the world ${data} of the package`)
}

/** Watches the file that a server answers from, and takes over what changes in it. */
export function watchServed(
  { simulator, world, recording }: Served,
  { data, seed }: WatchFlags,
  listener: ReloadListener,
): Promise<WatchedFile> {
  const file = recording?.file ?? data
  const reloader = recording
    ? new RecordingReloader(recording)
    : new WorldReloader(simulator, data, seed, world as WorldJson)
  return watchFile(file, async () => {
    try {
      listener.reloaded(file, await reloader.reload())
    } catch (error) {
      const { message } = error as Error
      const cure = 'All is as it was before; it is read again when it changes.'
      listener.notReloaded(file, `${message}\n${cure}`)
    }
  })
}
