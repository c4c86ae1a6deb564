/**
 * The arrows of the architecture, one line each: folder → what it may import, besides itself.
 * `main.ts`, `bootstrap` and `observability` wire, and may see everything; tests may see what they test with.
 */
const MAY_IMPORT = {
  domain: [],
  // Files of other people: cells in, nothing else known.
  sheets: [],
  outbound: [],
  // Spans are made of what others are doing: tracing knows none of them.
  'observability/tracing': [],
  carriers: ['domain', 'outbound', 'observability/tracing'],
  notify: ['domain', 'outbound'],
  documents: ['domain'],
  // The sandbox keeps its world through a port of its own, and we keep it in the database.
  store: ['domain', 'observability/tracing', 'carriers/sandbox/engine/sandbox-store\\.ts$'],
  operations: [
    'domain',
    'store',
    'observability/tracing',
    'carriers/(port|kit)',
    'carriers/[^/]+\\.ts$',
    'notify/[^/]+\\.ts$',
    'outbound/openid-client\\.ts$',
    'documents',
    'sheets',
  ],
  work: ['domain', 'operations', 'observability/tracing', 'config\\.ts$'],
  // That a database is away is an answer of HTTP's own (503), and an Idempotency-Key is a row of HTTP's own.
  http: [
    'domain',
    'operations',
    'observability/tracing',
    'store/db/unavailable\\.ts$',
    'store/deliveries/idempotency\\.ts$',
  ],
  cli: ['domain', 'sheets', 'operations', 'config\\.ts$', 'main\\.ts$'],
  // Looks at whatever can be wrong with a set-up.
  doctor: [
    'domain',
    'operations',
    'store',
    'embedded',
    'carriers/(registry|settings-schemas)\\.ts$',
    'config\\.ts$',
    'cli/(deps|version)\\.ts$',
  ],
  embedded: [],
}

/**
 * The folders of the larger parts, bottom up: each imports only what stands before it in its list. `.` is the part's own
 * files; what is in no list (`carriers/adapters/…`) has a rule of its own below.
 */
const LAYERS = {
  operations: [
    'archive',
    'concurrency',
    'secrets',
    'idempotency',
    'directory',
    'events',
    '.',
    'audit',
    'lists',
    'delivery-lookup',
    'accounts',
    'leases',
    'quoting',
    'allocation',
    'paperwork',
    'tokens',
    'manifests',
    'webhooks',
    'messages',
    'people',
    'assistants',
    'own-couriers',
    'orphaned-bookings',
    'bookings',
    'restore',
    'carriers',
    'mail-couriers',
    'deliveries',
    'insights',
    'links',
  ],
  store: [
    'db',
    'leases',
    'partitions',
    'archive',
    'accounts',
    'allocation',
    'housekeeping',
    'links',
    'manifests',
    'messages',
    'people',
    'sandbox',
    'insights',
    'deliveries',
    'creates',
    'restore',
    'carriers',
    'own-couriers',
    'webhooks',
  ],
  carriers: ['port', 'kit', 'wire', 'sandbox/engine', 'sandbox/servers', 'sandbox', 'adapters', '.'],
  http: [
    'contract',
    'examples',
    'observing',
    'admission',
    'idempotency',
    'load-shedding',
    'input',
    'pages',
    'pipeline',
    'api/fields',
    'api/tracking',
    'api/deliveries',
    'api/documents',
    'api/links',
    'api/manifests',
    'api/messages',
    'api/people',
    'api/assistants',
    'api/webhooks',
    'api/couriers',
    'api/admin',
    'api/auth',
    'openapi',
    'docs',
    'api/mcp',
    'api/service',
    'api',
    'server',
  ],
}

const folderOf = (part, layer) => (layer === '.' ? `src/${part}/` : `src/${part}/${layer}/`)
/** A folder that has other layers inside means its own files here. */
const isSplit = (layers, layer) => layer === '.' || layers.some((other) => other.startsWith(`${layer}/`))
const pathOf = (part, layers, layer) =>
  isSplit(layers, layer) ? `^${folderOf(part, layer)}[^/]+$` : `^${folderOf(part, layer)}`

/** package → the only folders that may know it at run time. Types are free. */
const ONLY_IN = {
  pg: ['store', 'embedded'],
  kysely: ['store'],
  fastify: ['http'],
  'fastify-plugin': ['http'],
  '@fastify': ['http'],
  'prom-client': ['http', 'work', 'observability', 'bootstrap'],
  pdfkit: ['documents'],
  '@cantoo/pdf-lib': ['documents'],
  'bwip-js': ['documents'],
  commander: ['cli'],
  yaml: ['cli', 'domain/account', 'operations'],
  undici: ['carriers', 'notify', 'work', 'outbound', 'bootstrap', 'observability'],
  nodemailer: ['notify'],
  'openid-client': ['outbound'],
  '@modelcontextprotocol/server': ['http'],
  'hyparquet-writer': ['documents'],
  aws4fetch: ['outbound'],
}

/** The domain is arithmetic and tables: nothing that reads a clock, a file or a network. */
const DOMAIN_PACKAGES = ['zod', 'temporal-polyfill', 'kdbush', 'geokdbush', 'libphonenumber-js']

/** What is bundled into the program; all other packages are development tools. */
const PRODUCT_PACKAGES = [
  '@cantoo/pdf-lib',
  '@modelcontextprotocol/server',
  '@simplewebauthn/server',
  'ajv',
  'aws4fetch',
  'bidi-js',
  'bowser',
  'commander',
  'csv-parse',
  'fast-querystring',
  'fastify',
  'geokdbush',
  'harfbuzzjs',
  'hyparquet-writer',
  'ipaddr.js',
  'kdbush',
  'kysely',
  'libphonenumber-js',
  'lru-cache',
  'marked',
  'nodemailer',
  'openid-client',
  'otpauth',
  'pg',
  'pino',
  'prom-client',
  'saxen',
  'temporal-polyfill',
  'ulid',
  'undici',
  'write-excel-file',
  'yaml',
  'yauzl',
  'zod',
]

const TEST = '\\.test\\.ts$'

module.exports = {
  forbidden: [
    ...Object.entries(MAY_IMPORT).map(([folder, allowed]) => ({
      name: `${folder}-imports`,
      severity: 'error',
      from: { path: `^src/${folder}/`, pathNot: TEST },
      to: {
        path: '^src/',
        pathNot: [`^src/${folder}/`, ...allowed.map((to) => `^src/${to}${to.endsWith('$') ? '' : '/'}`)],
      },
    })),
    ...Object.entries(LAYERS).flatMap(([part, layers]) =>
      layers.slice(0, -1).map((layer, at) => ({
        name: `${part}-${layer.replaceAll('/', '-')}-imports-what-is-below`,
        severity: 'error',
        from: { path: pathOf(part, layers, layer), pathNot: TEST },
        to: { path: layers.slice(at + 1).map((above) => pathOf(part, layers, above)) },
      })),
    ),
    {
      name: 'every-folder-has-its-layer',
      severity: 'error',
      from: {
        path: Object.keys(LAYERS).map((part) => `^src/${part}/.+/`),
        pathNot: [
          TEST,
          ...Object.entries(LAYERS).flatMap(([part, layers]) =>
            layers.map((layer) => pathOf(part, layers, layer)),
          ),
        ],
      },
      to: {},
    },
    ...Object.entries(ONLY_IN).map(([name, folders]) => ({
      name: `${name}-only-in-${folders.join('-')}`,
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [...folders.map((folder) => `^src/${folder}/`), '^src/(bootstrap/)?[^/]+\\.ts$', TEST],
      },
      to: { path: `node_modules/${name}/`, dependencyTypesNot: ['type-only'] },
    })),
    {
      name: 'web-imports',
      comment:
        'The pages know the domain’s tables and nothing else of the server: the rest is the documented API. A test may compare them with labels, mails and the shell.',
      severity: 'error',
      from: { path: '^web/', pathNot: TEST },
      to: { path: '^(src|scripts|test|bench)/', pathNot: '^src/domain/' },
    },
    {
      name: 'web-imports-of-the-client',
      comment:
        'The pages send requests through the core of @drover/client. Its operations are those of API clients, half of what the pages call, and would double its size.',
      severity: 'error',
      from: { path: '^web/', pathNot: TEST },
      to: { path: '^clients/', pathNot: '^clients/typescript/src/(call|errors)\\.ts$' },
    },
    {
      name: 'web-runs-in-browsers',
      severity: 'error',
      from: { path: '^web/', pathNot: [TEST, '^web/vite-config\\.ts$'] },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'apps-are-strangers',
      severity: 'error',
      from: { path: '^web/(portal|driver|track|book)/' },
      to: { path: '^web/(portal|driver|track|book)/', pathNot: '^web/$1/' },
    },
    {
      name: 'domain-packages',
      comment: 'The domain has no I/O, no clock and no Node: only these packages.',
      severity: 'error',
      from: { path: '^src/domain/', pathNot: TEST },
      to: {
        dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-no-pkg'],
        pathNot: `node_modules/(${DOMAIN_PACKAGES.join('|')})/`,
      },
    },
    {
      name: 'carriers-are-strangers',
      severity: 'error',
      from: { path: '^src/carriers/(adapters/[^/]+|sandbox)/' },
      to: { path: '^src/carriers/(adapters/[^/]+|sandbox)/', pathNot: '^src/carriers/$1/' },
    },
    {
      name: 'channels-are-strangers',
      severity: 'error',
      from: { path: '^src/notify/([^/]+)/' },
      to: { path: '^src/notify/[^/]+/', pathNot: '^src/notify/$1/' },
    },
    {
      name: 'fakes-know-no-adapter',
      comment: "Adapter and fake are written apart: both sides know only the carriers' references.",
      severity: 'error',
      from: { path: '^fakes/', pathNot: TEST },
      to: { path: '^(src|test|bench|scripts|web)/', pathNot: '^src/(domain|documents)/' },
    },
    {
      name: 'only-drover-fake-starts-fakes',
      severity: 'error',
      from: { path: '^(src|web)/', pathNot: [TEST, '^src/cli/commands/fake\\.ts$'] },
      to: { path: '^fakes/' },
    },
    {
      name: 'fakes-are-independent',
      severity: 'error',
      from: { path: '^fakes/([^/]+)/' },
      to: { path: '^fakes/[^/]+/', pathNot: '^fakes/$1/' },
    },
    {
      name: 'no-development-packages',
      severity: 'error',
      from: { path: '^(src|fakes)/', pathNot: TEST },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: `node_modules/(${PRODUCT_PACKAGES.join('|')})/`,
      },
    },
    {
      name: 'tests-are-not-imported',
      severity: 'error',
      from: { path: '^(src|fakes|web)/', pathNot: TEST },
      to: { path: [TEST, '^test/'] },
    },
    // Scripts may use the harness in test/, as they start and check whole systems too.
    {
      name: 'test-files-are-not-imported',
      severity: 'error',
      from: { path: '^scripts/', pathNot: TEST },
      to: { path: TEST },
    },
    {
      name: 'no-unknown-module',
      severity: 'error',
      from: { path: '^(src|fakes)/' },
      to: { couldNotResolve: true },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: { path: '^(src|fakes)/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
