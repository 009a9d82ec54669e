import { stat } from 'node:fs/promises'
import { readText } from '../../utils/files.ts'
import { maxTextLength } from '../../utils/json.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { Clock } from '../../world/clock/clock.ts'
import { DebouncedSave } from '../../world/persistence/debounced-save.ts'
import {
  lockFile,
  removeTemporaryFiles,
  targetOf,
  writeFileAtomically,
} from '../../world/persistence/lock-file.ts'
import { type PersistableWorld, resumeState } from '../../world/persistence/saved-state.ts'
import { checkRegular, stateError } from './sandbox-log.ts'
import { type SandboxesHost, SavedSandboxes } from './saved-sandboxes.ts'

/** A simulator whose world, and whose sandboxes, can be saved. */
type PersistableSimulator = PersistableWorld & Partial<SandboxesHost>

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
  simulator: PersistableSimulator,
  file: string,
  onError: (error: unknown) => void = console.error,
): Promise<FilePersistence> {
  const unlock = await lockFile(file).catch((error) =>
    Promise.reject(stateError('save', 'state file', file, error)),
  )
  const saveWorld = () =>
    writeFileAtomically(file, checkLength(simulator.world.toTexts(), file)).catch((error) =>
      Promise.reject(stateError('save', 'state file', file, error)),
    )
  const saver: DebouncedSave = new DebouncedSave(
    () => saveAll([saveChangedWorld, saveSandboxes]),
    onError,
  )
  let isWorldSaved = true
  const saveChangedWorld = async () => {
    if (isWorldSaved) return
    isWorldSaved = true
    await saveWorld().catch((error) => {
      isWorldSaved = false
      throw error
    })
  }
  const { sandbox, sandboxes } = simulator
  const sandboxesFile = `${await targetOf(file)}.sandboxes`
  const saved =
    sandbox && sandboxes && sandboxes.limit > 0
      ? new SavedSandboxes({ sandbox, sandboxes }, sandboxesFile, () => saver.schedule())
      : null
  const saveSandboxes = async () => saved?.save()
  let text: string | null
  let stopListening = (): void => {}
  try {
    text = await readState(file)
    await saved?.read()
    const hint = 'It was not changed: fix it, or move it away to start with a new world.'
    const warnings = text === null ? [] : await clockWarnings([file, sandboxesFile])
    if (text !== null) resumeState(simulator, text, { name: `state file ${file}`, hint })
    for (const one of [file, sandboxesFile]) await removeTemporaryFiles(one)
    if (text === null) await saveWorld()
    stopListening = simulator.onChange(() => {
      isWorldSaved = false
      saver.schedule()
    })
    // Last, because it schedules saves.
    warnings.push(...((await saved?.start()) ?? []))
    for (const warning of warnings) sandbox?.warn(warning)
  } catch (error) {
    stopListening()
    await unlock()
    throw error
  }
  simulator.persistence = saver
  return {
    resumed: text !== null,
    save: () => saver.flush(),
    async close() {
      stopListening()
      const isSaved = await saver.close()
      // Without it, the next start skips numbers.
      await saved?.close().catch(() => {})
      await unlock()
      return isSaved
    },
  }
}

/** Saves each part, also if another one fails. @throws the first error */
async function saveAll(parts: readonly (() => Promise<void>)[]): Promise<void> {
  const outcomes = await Promise.allSettled(parts.map((save) => save()))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

/** How far the clock of the machine may be behind, in milliseconds. */
const clockTolerance = 60_000

/** Times that come from the clock of the machine, such as those of new rows, then precede times that were saved. */
async function clockWarnings(files: readonly string[]): Promise<string[]> {
  const now = new Clock().now()
  const stats = await Promise.all(files.map((file) => stat(file).catch(() => null)))
  return files.flatMap((file, index) => {
    const savedAt = stats[index]?.mtimeMs ?? 0
    if (savedAt - clockTolerance < now) return []
    const [saved, current] = [savedAt, now].map((time) => new Date(time).toISOString())
    return [
      `The clock of this machine jumped back: ${file} was saved at ${saved}, and now it is ${current}. ` +
        'New rows are older than saved ones, and sandboxes with ttl_s end later.',
    ]
  })
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
    await checkRegular(file, 'state file')
    return await readText(file)
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null
    throw stateError('read', 'state file', file, error)
  }
}
