import { readFile } from 'node:fs/promises'
import { maxTextLength } from '../../utils/json.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { wait } from '../../utils/wait.ts'
import { lockFile, removeTemporaryFiles, writeFileAtomically } from './lock-file.ts'
import { type PersistableWorld, type PersistenceStatus, resumeState } from './saved-state.ts'

/** A world that is persisted in a file. */
export interface FilePersistence {
  /** Whether the simulator continues with the world that the file had */
  readonly resumed: boolean
  /** Saves unsaved changes now. @returns whether everything is saved */
  save(): Promise<boolean>
  /** Saves unsaved changes, stops saving and unlocks the file. @returns whether everything is saved */
  close(): Promise<boolean>
}

/**
 * Persists the world of a simulator in a file: resumes the world of the file, or creates the file, then starts to
 * save each change within a second, or when the save before it has ended. The file always holds a complete world, also
 * after a crash. A failed save is tried again each second. `reset` still restores the rows that the simulator started
 * with.
 *
 * @param onError called when saving fails for the first time after it worked; default: `console.error`
 * @throws UsageError for a file that is not a world, which stays as it is, that cannot be written, or that another
 * process uses
 * @example const persistence = await persistInFile(createSimulator(), 'state.json')
 */
export async function persistInFile(
  simulator: PersistableWorld,
  file: string,
  onError: (error: unknown) => void = console.error,
): Promise<FilePersistence> {
  const unlock = await lockFile(file).catch((error) =>
    Promise.reject(fileError('save', file, error)),
  )
  const save = () =>
    writeFileAtomically(file, checkLength(simulator.world.toTexts(), file)).catch((error) =>
      Promise.reject(fileError('save', file, error)),
    )
  let text: string | null
  try {
    text = await readState(file)
    const hint = 'It was not changed: fix it, or move it away to start with a new world.'
    if (text !== null) resumeState(simulator, text, { name: `state file ${file}`, hint })
    await removeTemporaryFiles(file)
    if (text === null) await save()
  } catch (error) {
    await unlock()
    throw error
  }
  const saver = new DebouncedSave(save, onError)
  const stopListening = simulator.onChange(() => saver.schedule())
  simulator.persistence = saver
  return {
    resumed: text !== null,
    save: () => saver.flush(),
    async close() {
      stopListening()
      const isSaved = await saver.close()
      await unlock()
      return isSaved
    },
  }
}

/** @throws UsageError after more texts than can be read again; the file then keeps its content */
function* checkLength(texts: Iterable<string>, file: string): Generator<string> {
  let length = 0
  for (const text of texts) {
    length += text.length
    if (length > maxTextLength) {
      throw new UsageError(
        `Failed to save the state file ${file}: the world has more than ${maxTextLength} characters. Use fewer rows.`,
      )
    }
    yield text
  }
}

async function readState(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null
    throw fileError('read', file, error)
  }
}

function fileError(task: 'read' | 'save', file: string, error: unknown): UsageError {
  if (error instanceof UsageError) return error
  const { code, message } = error as { code?: string; message: string }
  return new UsageError(
    `Failed to ${task} the state file ${file}: expected a writable file in an existing folder, got ${code ?? message}.`,
  )
}

/** When changes are saved, in milliseconds. */
interface SaveTimes {
  /** A change is saved after this long without another change. */
  readonly pause: number
  /** Continuous changes are saved after this long, and a failed save is tried again. */
  readonly maxWait: number
}

/**
 * Saves soon after changes, and never twice at once. A failed save is tried again until it succeeds. An error is reported
 * once until saving works again.
 */
export class DebouncedSave {
  readonly #save: () => Promise<void>
  readonly #onError: (error: unknown) => void
  readonly #times: SaveTimes
  /** Cancels the current pause. */
  #cancel: (() => void) | null = null
  /** When the next save must start. Time also passes while an earlier save is written. */
  #deadline = 0
  #changedDuringPause = false
  #isUnsaved = false
  /** Whether the next save starts when the current one ends. */
  #isDue = false
  #hasFailed = false
  #isClosed = false
  #running: Promise<boolean> | null = null

  constructor(
    save: () => Promise<void>,
    onError: (error: unknown) => void,
    times: SaveTimes = { pause: 200, maxWait: 1_000 },
  ) {
    this.#save = save
    this.#onError = onError
    this.#times = times
  }

  get status(): PersistenceStatus {
    if (this.#hasFailed) return 'failing'
    return this.#isUnsaved || this.#running ? 'unsaved' : 'saved'
  }

  /** Schedules a save. Called for each change, so it does almost nothing. */
  schedule(): void {
    this.#isUnsaved = true
    this.#changedDuringPause = true
    if (!this.#cancel && !this.#isDue) this.#startWaiting()
  }

  /** Saves unsaved changes now. @returns whether everything is saved */
  async flush(): Promise<boolean> {
    // Several callers can wait for the same save. The first one to continue starts the next save, for all of them.
    while (this.#running) await this.#running
    return this.#isUnsaved ? this.#run() : true
  }

  /** Saves unsaved changes now, for the last time. @returns whether everything is saved */
  close(): Promise<boolean> {
    this.#isClosed = true
    return this.flush()
  }

  #startWaiting(): void {
    if (this.#cancel || this.#isClosed) return
    this.#deadline = performance.now() + this.#times.maxWait
    this.#wait()
  }

  #wait(): void {
    this.#changedDuringPause = false
    const rest = this.#deadline - performance.now()
    const pause = wait(this.#hasFailed ? rest : Math.min(this.#times.pause, rest), (cancel) => {
      this.#cancel = cancel
      return () => {}
    })
    pause.then((isOver) => isOver && this.#cancel && this.#endPause())
  }

  #endPause(): void {
    this.#cancel = null
    if (this.#changedDuringPause && performance.now() < this.#deadline) this.#wait()
    else if (this.#running) this.#isDue = true
    else void this.#run()
  }

  /** @returns whether the save succeeded */
  #run(): Promise<boolean> {
    this.#cancel?.()
    this.#cancel = null
    this.#isDue = false
    this.#isUnsaved = false
    this.#running = this.#attempt().finally(() => {
      this.#running = null
      if (this.#hasFailed) this.#startWaiting()
      else if (this.#isDue) void this.#run()
    })
    return this.#running
  }

  async #attempt(): Promise<boolean> {
    try {
      await this.#save()
      this.#hasFailed = false
      return true
    } catch (error) {
      this.#isUnsaved = true
      if (!this.#hasFailed) this.#onError(error)
      this.#hasFailed = true
      return false
    }
  }
}
