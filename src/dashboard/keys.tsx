import { formatCount } from '../utils/text.ts'
import type { Scope } from '../world/keys.ts'
import { describeAccess, type KeyRow } from '../world/rows.ts'
import { scopeObjects } from '../world/world-format.ts'
import { useApp, useLive, useLoad } from './app.ts'
import { ActionButton, CopyButton, Form, Input, useFields } from './kit.tsx'
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
            loss={`Revoke the key ${label}? Requests with it will get 401.`}
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
        {value.length === 0 && <p class="dim">Every request gets 401 until you issue one.</p>}
        <DataTable label="Keys" columns={columns} rows={value} rowKey={(key) => key.value} />
      </Card>
      <NewKey />
    </div>
  )
}

function NewKey() {
  const { keys } = useApp().remote
  const [draft, field] = useFields({ label: '', value: '', scopes: '*', projects: '' })
  const issue = async () => {
    const { label, value, scopes, projects } = draft
    const issued = await keys.issue({
      // The server checks them.
      scopes: listOf(scopes) as Scope[],
      projects: listOf(projects).map(Number),
      ...(label && { label }),
      ...(value && { value }),
    })
    return `Key ${issued} issued.`
  }
  return (
    <Card title="New key">
      <Form save={issue} submitLabel="Issue">
        <div class="side-by-side">
          <Input label="Label" placeholder="none" {...field('label')} />
          <Input label="Value" placeholder="random" {...field('value')} />
          <Input label="Scopes, * for all" {...field('scopes')} />
          <Input label="Only in these projects" placeholder="all, or ids" {...field('projects')} />
        </div>
        <p class="dim">Operations require the scopes {knownScopes.join(', ')}.</p>
      </Form>
    </Card>
  )
}

const knownScopes = scopeObjects.flatMap((object) => [`${object}:read`, `${object}:write`])

/** @example listOf('plugin:read, plugin:write') // ['plugin:read', 'plugin:write'] */
function listOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '')
}
