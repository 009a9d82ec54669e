import { useAction, useDashboard } from '../kit/place.ts'
import { ErrorMessage } from '../kit/states.tsx'
import { useStore } from '../kit/store.ts'
import { useLoad } from '../kit/use-load.ts'
import { useVocabulary } from '../world/use-names.ts'
import { FaultForm } from './fault-form.tsx'
import { FaultList } from './fault-table.tsx'

/** The rules that disturb answers, and situations that have a name. */
export function FaultsView() {
  const { remote, journal } = useDashboard()
  const { entriesVersion } = useStore(journal)
  const words = useVocabulary()
  const { value, error, reload } = useLoad(() => remote.faults.list(), [remote, entriesVersion])
  const act = useAction()
  const then = async (done: string, work: () => Promise<unknown>) => {
    const isDone = await act(done, work)
    if (isDone) reload()
    return isDone
  }
  return (
    <div class="stack">
      {error && <ErrorMessage error={error} onRetry={reload} />}
      <section aria-labelledby="presets-title">
        <h2 id="presets-title">Presets</h2>
        <ul class="plain presets">
          {words?.presets.map(({ name, description }) => (
            <li key={name}>
              <button
                type="button"
                onClick={() =>
                  then(`Added the faults of ${name}.`, () => remote.faults.add({ preset: name }))
                }
              >
                {name}
              </button>
              <span class="dim">{description}</span>
            </li>
          ))}
        </ul>
      </section>
      <FaultForm
        words={words}
        onAdd={(rule) => then('Added a fault.', () => remote.faults.add(rule))}
      />
      <FaultList
        rules={value ?? []}
        onRemove={(id) => then(`Ended ${id}.`, () => remote.faults.remove(id))}
        onClear={() => then('Ended all faults.', () => remote.faults.clear())}
      />
    </div>
  )
}
