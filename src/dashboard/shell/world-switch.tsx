import { useDashboard } from '../kit/place.ts'
import { useLoad } from '../kit/use-load.ts'
import { formatHash, parseHash } from './route.ts'

/** Which world is looked at: the server's own, or that of a sandbox. */
export function SandboxSelect() {
  const { server, sandbox } = useDashboard()
  const { value = [], reload } = useLoad(() => server.sandboxes.list(), [server, sandbox])
  const ids = value.map(({ id }) => id)
  if (sandbox !== null && !ids.includes(sandbox)) ids.push(sandbox)
  const choose = (id: string) => {
    const [page = 'requests'] = parseHash(location.hash).path
    location.hash = formatHash([page], id === '' ? null : id)
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
