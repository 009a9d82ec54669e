import type { Stats } from 'node:fs'
import { isUsageError, UsageError } from '../../utils/errors.ts'
import { readText, refusalOf, statsOf } from '../../utils/files.ts'
import { abortOf, wait } from '../../utils/wait.ts'
import { writeFileAtomically } from './atomic-write.ts'
import { type PersistableWorld, resumeWorld } from './persist-in-storage.ts'

/** A world that is persisted in a file. */
export interface FilePersistence {
  /** Whether the simulator continues with the world that the file had */
  readonly resumed: boolean
  /** Saves unsaved changes, and stops saving. @returns whether everything is saved */
  readonly close: () => Promise<boolean>
}

/** Milliseconds from a change to its save. All changes of this time have one save. */
const pause = 100

/** Milliseconds from a save that failed to the next one. */
const retryPause = 1_000

/**
 * Persists the world of a simulator in a file: resumes the world of the file, or creates the file, then saves changes some
 * 100 ms later. The file always holds a complete world, also after a crash. A failed save is tried again each second, and by
 * `close`. A file that another program changed, such as a second server, is not overwritten, unless both save in the same
 * moment. `reset` still restores the rows that the simulator started with.
 *
 * @param onError called when saving fails for another reason than the last time; default: `console.error`
 * @throws UsageError for a file that is not a world, which stays as it is, and for one that cannot be read or created
 * @example const persistence = await persistInFile(createSimulator(), 'state.json')
 */
export async function persistInFile(
  simulator: PersistableWorld,
  file: string,
  onError: (error: unknown) => void = console.error,
): Promise<FilePersistence> {
  const stats = statsOf(file)
  if (stats && !stats.isFile() && !stats.isDirectory()) {
    throw new UsageError(`The state file ${file} is no regular file. Choose another file.`)
  }
  const saver = new FileSaver(file, simulator.world)
  const resumed = await saver.open((text) => {
    const hint = 'It was not changed: fix it, or move it away to start with a new world.'
    resumeWorld(simulator, text, { name: `state file ${file}`, hint })
  })
  return { resumed, close: saveChanges(simulator, saver, onError) }
}

/** @returns a function that saves the rest, and says whether all is saved */
function saveChanges(
  simulator: PersistableWorld,
  saver: FileSaver,
  onError: (error: unknown) => void,
) {
  let isUnsaved = false
  let failure: string | null = null
  const save = async () => {
    isUnsaved = false
    try {
      await saver.save()
      failure = null
    } catch (error) {
      isUnsaved = true
      const { message } = error as Error
      if (message !== failure) onError(error)
      failure = message
    }
  }
  let saving: Promise<void> | null = null
  const closing = new AbortController()
  const saveSoon = async () => {
    do {
      await wait(failure === null ? pause : retryPause, abortOf(closing.signal))
      await save()
    } while (isUnsaved && !closing.signal.aborted)
    saving = null
  }
  const stopListening = simulator.onChange(() => {
    isUnsaved = true
    saving ??= saveSoon()
  })
  return async () => {
    stopListening()
    closing.abort()
    await saving
    // A change that came during the last save.
    if (isUnsaved) await save()
    return !isUnsaved
  }
}

/** The file of a world. It is only overwritten while it is as it was read or saved last. */
class FileSaver {
  readonly #file: string
  readonly #world: PersistableWorld['world']
  /** When the file that this process knows was written, and its size. Null for no file */
  #saved: Stats | null = null

  constructor(file: string, world: PersistableWorld['world']) {
    this.#file = file
    this.#world = world
  }

  /** Reads the file, or creates it. @returns whether there was one */
  async open(resume: (text: string) => void): Promise<boolean> {
    const file = this.#file
    this.#saved = statsOf(file) ?? null
    const text = await readText(file).catch((error) =>
      error.code === 'ENOENT' ? null : fileRefusal('read', file)(error),
    )
    if (text === null) await this.save()
    else resume(text)
    return text !== null
  }

  /** @throws UsageError */
  async save(): Promise<void> {
    const file = this.#file
    const check = async () => {
      const stats = statsOf(file)
      if (stats && !isSame(stats, this.#saved)) throw changedError(file, stats, this.#saved)
    }
    const text = this.#world.toText()
    const written = writeFileAtomically(file, text, undefined, check)
    // Not those of the file, which another program can have replaced already.
    this.#saved = await written.catch(fileRefusal('save', file))
  }
}

function isSame({ ino, mtimeMs, size }: Stats, saved: Stats | null) {
  return saved?.ino === ino && saved.mtimeMs === mtimeMs && saved.size === size
}

function changedError(file: string, { mtime }: Stats, saved: Stats | null) {
  const before = saved
    ? `, not of ${saved.mtime.toISOString()} as this server saved or read it`
    : ''
  return new UsageError(
    `The state file ${file} was changed by another program: it is of ${mtime.toISOString()}${before}. ` +
      'It is not overwritten. Move it away to save the world of this server, or restart the server to continue with the file.',
  )
}

function fileRefusal(task: 'read' | 'save', file: string): (error: unknown) => never {
  return (error) => {
    if (isUsageError(error)) throw error
    throw new UsageError(`Failed to ${task} the state file ${file}: ${refusalOf(error)}.`)
  }
}
