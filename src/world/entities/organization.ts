import { defineEntity, type FieldTable } from './field.ts'

/** An organization: projects, users and plugins belong to it. */
export interface OrganizationRow {
  /** UUID */
  readonly id: string
  readonly name: string
  /** 0 none, 3 configure, 6 install, 9 root; default: 9. */
  readonly plugins_access_level: number
}

export const organization = defineEntity({
  id: { kind: 'uuid' },
  name: { kind: 'text', usual: ({ id }) => `Organization ${id}` },
  plugins_access_level: { kind: 'level', values: [0, 3, 6, 9], inFiles: 'maybe', usual: 9 },
} satisfies FieldTable<OrganizationRow>)
