/** Australia with its external territories, from Cocos to Norfolk Island, and from the Torres Strait to Macquarie Island. */
const BOX = { south: -55, north: -8, west: 96, east: 169 }

export function isInAustralia(latitude: number, longitude: number): boolean {
  return latitude >= BOX.south && latitude <= BOX.north && longitude >= BOX.west && longitude <= BOX.east
}

/** The likely slip behind coordinates outside Australia, as a remedy. */
export function coordinateRemedy(latitude: number, longitude: number): string {
  if (isInAustralia(longitude, latitude)) return 'latitude and longitude are swapped'
  if (isInAustralia(-latitude, longitude)) return `southern latitudes are negative: ${-latitude}`
  if (isInAustralia(-longitude, latitude))
    return `latitude and longitude are swapped, and southern latitudes are negative: ${-longitude}, ${latitude}`
  if (latitude === 0 && longitude === 0)
    return '0, 0 is what a failed look-up gives: look the address up again'
  return 'write degrees, e.g. latitude: -37.813 and longitude: 144.963'
}
