/** The default time of tests. */
export const noon = '2024-06-15T12:00:00Z'

/** The annotations of the first project of the world `default`. */
export const annotationsPath = '/api/projects/1/annotations/'

/** The organization of the world `default`. */
export const acme = '018f2b6e-0000-7000-8000-00000000000a'

/** A second organization, in worlds that have one. */
export const initech = '018f2b6e-0000-7000-8000-00000000000b'

/** The numbers of rows in the world `default`. */
export const defaultCounts = {
  organizations: 1,
  projects: 2,
  users: 2,
  dashboard_items: 3,
  plugins: 4,
  plugin_configs: 2,
  annotations: 8,
  activity: 2,
}
