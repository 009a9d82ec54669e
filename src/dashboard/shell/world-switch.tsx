import { usePlace } from '../kit/place.ts'
import { useLoad } from '../kit/use-load.ts'
import { readRoute, toHash } from './route.ts'

/** Which world is looked at: the server's own, or that of a sandbox. */
export function WorldSwitch() {
  const { root, sandbox } = usePlace()
  const { value = [], reload } = useLoad(() => root.sandboxes.list(), [root, sandbox])
  const ids = value.map(({ id }) => id)
  if (sandbox !== null && !ids.includes(sandbox)) ids.push(sandbox)
  const choose = (id: string) => {
    const [page = 'requests'] = readRoute(location.hash).path
    location.hash = toHash([page], id === '' ? null : id)
  }
  return (
    <label>
      <span class="unseen">World</span>
      <select
        value={sandbox ?? ''}
        onFocus={reload}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        <option value="">Server</option>
        {ids.map((id) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
    </label>
  )
}
