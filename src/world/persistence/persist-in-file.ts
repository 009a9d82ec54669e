import { readFile } from 'node:fs/promises'
import { UsageError } from '../../utils/usage-error.ts'
import { removeTemporaryFiles, writeFileAtomically } from './atomic-write.ts'
import { DebouncedSave } from './debounced-save.ts'
import { lockFile } from './lock-file.ts'
import { type PersistableWorld, resumeState } from './saved-state.ts'

/** A world that is kept in a file. */
export interface FilePersistence {
  /** Saves what is unsaved now. @returns whether all is saved */
  save(): Promise<boolean>
  /** Saves what is unsaved, and keeps the world no longer. @returns whether all is saved */
  close(): Promise<boolean>
}

/**
 * Keeps a simulator's world in a file: goes on with the one that is there, or writes it, and saves after changes,
 * within a second. Whoever reads the file, and after any crash, finds a complete world in it, with all ids.
 * `reset` still goes back to where the simulator began, and so does what it goes back to after a restart.
 *
 * @param onError told once when saving fails, and again when it fails after it worked; by default console.error
 * @throws UsageError for a file that holds no world, which is left as it is, that cannot be written, or that another
 *   process keeps a world in
 * @example const kept = await persistInFile(createSimulator(), 'state.json')
 */
export async function persistInFile(
  simulator: PersistableWorld,
  file: string,
  onError: (error: unknown) => void = console.error,
): Promise<FilePersistence> {
  const giveBack = await lockFile(file).catch((error) =>
    Promise.reject(fileError('save', file, error)),
  )
  const save = () => writeFileAtomically(file, simulator.world.toTexts())
  try {
    await openOrCreate(simulator, file, save)
  } catch (error) {
    await giveBack()
    throw error
  }
  const saver = new DebouncedSave(save, (error) => onError(fileError('save', file, error)))
  const unwatch = simulator.onChange(() => saver.schedule())
  return {
    save: () => saver.flush(),
    async close() {
      unwatch()
      const isSaved = await saver.flush()
      await giveBack()
      return isSaved
    },
  }
}

/** Goes on with the world in a file, or writes it. */
async function openOrCreate(
  simulator: PersistableWorld,
  file: string,
  save: () => Promise<void>,
): Promise<void> {
  const text = await readState(file)
  const cure = 'It was left as it is: mend it, or move it away to begin anew.'
  if (text !== null) resumeState(simulator, text, { name: file, cure })
  await removeTemporaryFiles(file)
  if (text === null) await save().catch((error) => Promise.reject(fileError('save', file, error)))
}

/** The text of a file; null where there is none yet. */
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
    `Failed to ${task} the state ${file}: expected a file in a folder that can be written, got ${code ?? message}.`,
  )
}
