/** Where `npm test` says which server it started, so that test files do not start one each. */
export const SERVER_VARIABLE = 'DROVER_TEST_SERVER'

/** Nobody pulls the plug on a test: its server need not wait for the disk. */
export const TEST_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
}
