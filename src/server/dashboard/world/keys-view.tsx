import { Plus } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { hasAllScopes, type KeyRow } from '../../../world/rows.ts'
import { toOptions, useDashboard, useFirstRows, useVocabulary } from '../kit/context.ts'
import { CopyButton } from '../kit/copy.tsx'
import { Checkbox, CheckList, Input, Select, useFields } from '../kit/fields.tsx'
import { ConfirmButton, Form } from '../kit/form.tsx'
import { formatCount } from '../kit/format.ts'
import { useLoad, useStore } from '../kit/hooks.ts'
import { DialogButton, EmptyState, ErrorMessage } from '../kit/panels.tsx'
import { type Column, ScrollArea, Table } from '../kit/table.tsx'

/** The keys of the world, to issue and to revoke. The simulated API has no operation for either. */
export function KeysView() {
  const { remote, journal } = useDashboard()
  const { rowsVersion } = useStore(journal)
  const { value, error, reload } = useLoad(() => remote.keys.list(), [remote, rowsVersion])
  const revoke = async ({ value, label }: KeyRow) => {
    await remote.keys.revoke(value)
    reload()
    return `Key ${label} revoked.`
  }
  const revokeButton = (key: KeyRow) => (
    <ConfirmButton
      {...{ label: 'Revoke', class: 'quiet danger', row: `key ${key.label}` }}
      title={`Revoke the key ${key.label}?`}
      save={() => revoke(key)}
    >
      Requests with <code>{key.value}</code> will then get 401.
    </ConfirmButton>
  )
  return (
    <>
      <div class="toolbar">
        <span class="count grow">{value && formatCount(value.length, 'key')}</span>
        <DialogButton label="Issue key" icon={Plus} title="Issue key">
          {(close) => <KeyForm onIssue={reload} onClose={close} />}
        </DialogButton>
      </div>
      {error && <ErrorMessage error={error} onRetry={reload} />}
      {value?.length === 0 && (
        <EmptyState title="This world has no keys.">
          Every request returns 401 without one. Issue a key to send requests.
        </EmptyState>
      )}
      {value && value.length > 0 && <KeyTable keys={value} actions={revokeButton} />}
    </>
  )
}

const columns: readonly Column<KeyRow>[] = [
  [
    'key-name',
    'Key',
    ({ label, value }) => (
      <>
        <strong>{label}</strong>
        <code>{value}</code>
      </>
    ),
  ],
  ['content', 'Scopes', ({ scopes }) => <Scopes scopes={scopes} />],
  [
    'wide',
    'Limited to',
    ({ projects, organizations }) =>
      [...projects.map((id) => `project ${id}`), ...organizations].join(', ') || (
        <span class="dim">no limit</span>
      ),
  ],
]

interface KeyTableProps {
  readonly keys: readonly KeyRow[]
  /** The buttons after the one that copies the key. */
  readonly actions?: (key: KeyRow) => ComponentChildren
}

export function KeyTable({ keys, actions }: KeyTableProps) {
  const allActions = (key: KeyRow) => (
    <>
      <CopyButton text={key.value} />
      {actions?.(key)}
    </>
  )
  return (
    <ScrollArea label="Key table">
      <Table columns={columns} rows={keys} rowKey={({ value }) => value} actions={allActions} />
    </ScrollArea>
  )
}

function Scopes({ scopes }: Pick<KeyRow, 'scopes'>) {
  if (hasAllScopes({ scopes })) return <span class="tag">full access</span>
  if (!scopes?.length) return <span class="dim">none</span>
  return scopes.map((scope) => [
    <span key={scope} class="tag">
      {scope}
    </span>,
    ' ',
  ])
}

function KeyForm({ onIssue, onClose }: { onIssue: () => void; onClose: () => void }) {
  const { remote } = useDashboard()
  const users = useFirstRows('users').map(({ id, first_name, last_name }) => ({
    id,
    name: `${first_name} ${last_name}`.trim(),
  }))
  const { key_scopes = [] } = useVocabulary() ?? {}
  const [hasFullAccess, setFullAccess] = useState(true)
  const none: readonly string[] = []
  const empty = {
    label: '',
    value: '',
    user: '',
    scopes: none,
    projects: none,
    organizations: none,
  }
  const [draft, field] = useFields(empty)
  const projects = toOptions(useFirstRows('projects'))
  const organizations = useFirstRows('organizations').map(({ id, name }) => [id, name] as const)
  const limits = [
    ['projects', 'Projects (none checked: no limit)', projects],
    ['organizations', 'Organizations (none checked: no limit)', organizations],
  ] as const
  const issue = async () => {
    const { label, value, user, scopes, projects, organizations } = draft
    const issued = await remote.keys.issue({
      scopes: hasFullAccess ? ['*'] : scopes,
      projects: projects.map(Number),
      organizations,
      ...(label !== '' && { label }),
      ...(value !== '' && { value }),
      ...(user !== '' && { user: Number(user) }),
    })
    onIssue()
    return `Key ${issued} issued.`
  }
  return (
    <Form save={issue} onSuccess={onClose} submitLabel="Issue">
      <Input label="Label" placeholder="e.g. readonly (optional)" {...field('label')} />
      <Input label="Value" placeholder="random (optional)" {...field('value')} />
      <Checkbox label="Full access (*)" value={hasFullAccess} onChange={setFullAccess} />
      {!hasFullAccess && (
        <CheckList
          label="Scopes"
          options={key_scopes.map((scope) => [scope, scope] as const)}
          {...field('scopes')}
        />
      )}
      {limits.map(([name, label, options]) => (
        <CheckList key={name} {...{ label, options }} {...field(name)} />
      ))}
      <Select label="User" options={[['', 'First user'], ...toOptions(users)]} {...field('user')} />
    </Form>
  )
}
