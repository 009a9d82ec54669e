import { Plus } from 'lucide'
import type { ComponentChildren } from 'preact'
import { hasAllScopes, type KeyRow } from '../../../world/rows.ts'
import {
  toOptions,
  useDashboard,
  useRowNames,
  useVocabulary,
  useWorldData,
  withoutEmpty,
} from '../kit/context.ts'
import { CopyButton } from '../kit/copy.tsx'
import { Checkbox, CheckList, Input, Select, useFields } from '../kit/fields.tsx'
import { ConfirmButton, Form } from '../kit/form.tsx'
import { formatCount } from '../kit/format.ts'
import { DialogButton, EmptyState, ErrorMessage } from '../kit/panels.tsx'
import { type Column, ScrollArea, Table } from '../kit/table.tsx'

/** The keys of the world, to issue and to revoke. The simulated API has no operation for either. */
export function KeysView() {
  const { remote } = useDashboard()
  const { value, error, reload } = useWorldData((remote) => remote.keys.list())
  const revokeButton = (key: KeyRow) => (
    <ConfirmButton
      {...{ label: 'Revoke', class: 'quiet danger', row: `key ${key.label}` }}
      title={`Revoke the key ${key.label}?`}
      save={() => remote.keys.revoke(key.value).then(() => `Key ${key.label} revoked.`)}
    >
      Requests with <code>{key.value}</code> will then get 401.
    </ConfirmButton>
  )
  return (
    <>
      <div class="toolbar">
        <span class="count grow">{value && formatCount(value.length, 'key')}</span>
        <DialogButton label="Issue key" icon={Plus} title="Issue key">
          {(close) => <KeyForm onClose={close} />}
        </DialogButton>
      </div>
      <ErrorMessage error={error} reload={reload} />
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
  [
    'content',
    'Scopes',
    ({ scopes, projects, organizations }) => (
      <>
        <Scopes scopes={scopes} />
        <Limit names={[...projects.map((id) => `project ${id}`), ...organizations]} />
      </>
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
      <Table
        class="rows pinned"
        columns={columns}
        rows={keys}
        rowKey={({ value }) => value}
        actions={allActions}
      />
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

function Limit({ names }: { names: readonly string[] }) {
  return <>{names.length > 0 && ` only in ${names.join(', ')}`}</>
}

const emptyKey = {
  label: '',
  value: '',
  user: '',
  hasFullAccess: true,
  scopes: [] as readonly string[],
  projects: [] as readonly string[],
  organizations: [] as readonly string[],
}

function KeyForm({ onClose }: { onClose: () => void }) {
  const { remote } = useDashboard()
  const { key_scopes = [] } = useVocabulary() ?? {}
  const [draft, field] = useFields(emptyKey)
  const users = toOptions(useRowNames('users'))
  const projects = toOptions(useRowNames('projects'))
  const organizations = [...useRowNames('organizations')] as [string, string][]
  const issue = async () => {
    const { label, value, user, hasFullAccess, scopes, projects, organizations } = draft
    const issued = await remote.keys.issue({
      scopes: hasFullAccess ? ['*'] : scopes,
      projects: projects.map(Number),
      organizations,
      ...withoutEmpty({ label, value, user: user && Number(user) }),
    })
    return `Key ${issued} issued.`
  }
  return (
    <Form save={issue} onSuccess={onClose} submitLabel="Issue">
      <Input label="Label" placeholder="e.g. readonly (optional)" {...field('label')} />
      <Input label="Value" placeholder="random (optional)" {...field('value')} />
      <Checkbox label="Full access (*)" {...field('hasFullAccess')} />
      {!draft.hasFullAccess && (
        <CheckList
          label="Scopes"
          options={key_scopes.map((scope) => [scope, scope] as const)}
          {...field('scopes')}
        />
      )}
      <CheckList
        label="Projects (none checked: no limit)"
        options={projects}
        {...field('projects')}
      />
      <CheckList
        label="Organizations (none checked: no limit)"
        options={organizations}
        {...field('organizations')}
      />
      <Select label="User" options={[['', 'First user'], ...users]} {...field('user')} />
    </Form>
  )
}
