import { isUsageError, UsageError } from '../../utils/errors.ts'
import { readText, refusalOf } from '../../utils/files.ts'
import { abortOf, wait } from '../../utils/wait.ts'
import { writeFileAtomically } from './atomic-write.ts'
import { type PersistableWorld, resumeState } from './saved-state.ts'

/** A world that is persisted in a file. */
interface FilePersistence {
  /** Whether the simulator continues with the world that the file had */
  readonly resumed: boolean
  /** Saves unsaved changes, and stops saving. @returns whether everything is saved */
  close(): Promise<boolean>
}

/** The time from a change to its save, in milliseconds. All changes of this time have one save. */
const pause = 100

/**
 * Persists the world of a simulator in a file: resumes the world of the file, or creates the file, then saves each
 * change within 100 ms, or when the save before it has ended. The file always holds a complete world, also after a
 * crash. A failed save is tried again with the next change, and by `close`. `reset` still restores the rows that the
 * simulator started with.
 *
 * @param onError called when saving fails for the first time after it worked; default: `console.error`
 * @throws UsageError for a file that is not a world, which stays as it is, or that cannot be written
 * @example const persistence = await persistInFile(createSimulator(), 'state.json')
 */
export async function persistInFile(
  simulator: PersistableWorld,
  file: string,
  onError: (error: unknown) => void = console.error,
): Promise<FilePersistence> {
  const text = await readState(file)
  const hint = 'It was not changed: fix it, or move it away to start with a new world.'
  if (text !== null) resumeState(simulator, text, { name: `state file ${file}`, hint })
  const save = () => writeFileAtomically(file, simulator.world.toText()).catch(refuse('save', file))
  if (text === null) await save()

  let isUnsaved = false
  let hasFailed = false
  const saveChanges = async (): Promise<void> => {
    isUnsaved = false
    try {
      await save()
      hasFailed = false
    } catch (error) {
      isUnsaved = true
      if (!hasFailed) onError(error)
      hasFailed = true
    }
  }
  let saving: Promise<void> | null = null
  const closing = new AbortController()
  const saveSoon = async (): Promise<void> => {
    do {
      await wait(pause, abortOf(closing.signal))
      await saveChanges()
    } while (isUnsaved && !hasFailed)
    saving = null
  }
  const stopListening = simulator.onChange(() => {
    isUnsaved = true
    saving ??= saveSoon()
  })
  return {
    resumed: text !== null,
    async close() {
      stopListening()
      closing.abort()
      await saving
      if (isUnsaved) await saveChanges()
      return !isUnsaved
    },
  }
}

async function readState(file: string): Promise<string | null> {
  return readText(file).catch((error) =>
    error.code === 'ENOENT' ? null : refuse('read', file)(error),
  )
}

function refuse(task: 'read' | 'save', file: string): (error: unknown) => never {
  return (error) => {
    if (isUsageError(error)) throw error
    throw new UsageError(`Failed to ${task} the state file ${file}: ${refusalOf(error)}.`)
  }
}
