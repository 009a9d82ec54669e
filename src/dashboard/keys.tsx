import { formatCount } from '../utils/text.ts'
import { describeAccess, type KeyRow } from '../world/rows.ts'
import { knownScopes } from '../world/world-format.ts'
import { useApp, useLive, useLoad } from './app.ts'
import { ActionButton, CopyButton, JsonForm } from './kit.tsx'
import { Card, type DataColumn, DataTable, LoadError } from './layout.tsx'

/** The keys of the world, to issue and to revoke. The API has no operation for either. */
export function KeysView() {
  const { keys } = useApp().remote
  const { settings } = useLive()
  const { value = [], error } = useLoad((remote) => remote.keys.list())
  const values = Object.fromEntries(settings.map(({ id, value }) => [id, value]))
  const columns: readonly DataColumn<KeyRow>[] = [
    [
      'Key',
      ({ label, value }) => (
        <>
          <strong>{label}</strong>
          <br />
          <code>{value}</code>
        </>
      ),
    ],
    ['Access', (key) => describeAccess(key, values)],
    [
      'Actions',
      ({ label, value }) => (
        <>
          <CopyButton text={value} />
          <ActionButton
            {...{ label: 'Revoke', class: 'quiet danger', row: `key ${label}` }}
            loss={`Revoke the key ${label}? Requests with it will be refused.`}
            work={() => keys.revoke(value).then(() => `Key ${label} revoked.`)}
          />
        </>
      ),
      'actions',
    ],
  ]
  return (
    <div class="stack">
      <LoadError error={error} />
      <Card title={formatCount(value.length, 'key')}>
        {value.length === 0 && <p class="dim">No request succeeds until you issue one.</p>}
        <DataTable label="Keys" columns={columns} rows={value} rowKey={(key) => key.value} />
      </Card>
      <NewKey />
    </div>
  )
}

function NewKey() {
  const { keys } = useApp().remote
  const issue = async (key: object) => `Key ${await keys.issue(key)} issued.`
  return (
    <Card title="New key">
      <JsonForm
        initial={{ label: 'mine', scopes: ['*'] }}
        rows={5}
        submitLabel="Issue"
        save={issue}
        hint={() => (
          <p class="dim">
            Operations require the scopes {knownScopes.join(', ')}. A key can have a value, and the
            ids of its projects, too.
          </p>
        )}
      />
    </Card>
  )
}
