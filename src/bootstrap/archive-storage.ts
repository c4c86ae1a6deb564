import type { ArchivePlace, CliDeps } from '../cli/deps.ts'
import { ConfigMistakes, environment } from '../config.ts'
import { folderStorage, s3Storage } from '../outbound/archive-storage.ts'

const NEEDED = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION'] as const

/** A bucket's settings have the names that Amazon's own tools use. */
export const archiveStorage: CliDeps['archiveStorage'] = (place: ArchivePlace) => {
  if ('folder' in place) return folderStorage(place.folder)
  const env = environment()
  const missing = NEEDED.filter((name) => !env[name]?.trim())
  if (missing.length > 0)
    throw new ConfigMistakes(missing.map((name) => `${name} must be set for an archive in a bucket.`))
  return s3Storage({
    ...place,
    region: (env.AWS_REGION as string).trim(),
    endpoint: env.AWS_ENDPOINT_URL_S3?.trim() || env.AWS_ENDPOINT_URL?.trim() || null,
    credentials: {
      accessKeyId: env.AWS_ACCESS_KEY_ID as string,
      secretAccessKey: env.AWS_SECRET_ACCESS_KEY as string,
      ...(env.AWS_SESSION_TOKEN && { sessionToken: env.AWS_SESSION_TOKEN }),
    },
  })
}
