import { downloadFile } from '../kit/copy.ts'
import { useAction, useDashboard } from '../kit/place.ts'

/** The rows as a whole: back to where they began, or out as a file. */
export function ResetCard() {
  const { remote } = useDashboard()
  const act = useAction()
  const save = async () => downloadFile('world.json', await remote.world.read())
  return (
    <section class="card" aria-labelledby="rows-title">
      <h2 id="rows-title">Rows</h2>
      <p class="dim">Policies, clock, faults and journal stay as they are.</p>
      <div class="row">
        <button
          type="button"
          onClick={() => act('The rows are as they began.', () => remote.reset())}
        >
          Reset
        </button>
        <button type="button" onClick={() => act('Saved as world.json.', save)}>
          Download as a fixture
        </button>
      </div>
    </section>
  )
}
