import { type DeclaredFields, defineEntity } from './entity.ts'
import { field } from './field.ts'

/** An organization: projects, users and plugins belong to it. */
export interface OrganizationRow {
  /** UUID */
  readonly id: string
  readonly name: string
  /** 0 none, 3 configure, 6 install, 9 root; default: 9. */
  readonly plugins_access_level: number
}

export const organization = defineEntity({
  id: field.uuid(),
  name: field.text().initial(({ id }) => `Organization ${id}`),
  plugins_access_level: field.level([0, 3, 6, 9]).default(9).optional(),
} satisfies DeclaredFields<OrganizationRow>)
