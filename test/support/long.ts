/** Whether the tests that search for defects run for hours: `LONG=1 npm run slow -- --project slow test/model`. */
export const isLong = process.env.LONG === '1'
