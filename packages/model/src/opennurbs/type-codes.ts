/**
 * The type codes of openNURBS chunks that are read or written here.
 * Source: opennurbs_3dm.h of openNURBS, checked against files that rhino3dm writes.
 */
export const TYPE = {
  commentBlock: 0x00000001,
  endOfFile: 0x00007fff,
  endOfTable: 0xffffffff,

  materialTable: 0x10000010,
  layerTable: 0x10000011,
  lightTable: 0x10000012,
  objectTable: 0x10000013,
  propertiesTable: 0x10000014,
  settingsTable: 0x10000015,
  blockTable: 0x10000021,

  revisionHistory: 0x20008021,
  notes: 0x20008022,
  previewImage: 0x20008023,
  application: 0x20008024,
  compressedPreviewImage: 0x20008025,
  units: 0x20008031,
  materialRecord: 0x20008040,
  lightRecord: 0x20008060,
  lightAttributes: 0x02008061,
  lightRecordEnd: 0x8200006f,
  blockRecord: 0x20008076,
  layerRecord: 0x20008050,
  objectRecord: 0x20008070,
  objectType: 0x82000071,
  objectAttributes: 0x02008072,
  objectAttributesUserData: 0x02000073,
  objectRecordEnd: 0x8200007f,

  class: 0x00027ffa,
  classId: 0x0002fffb,
  classData: 0x0002fffc,
  classUserData: 0x00027ffd,
  classUserDataHeader: 0x0002fff9,
  classEnd: 0x80027fff,

  anonymous: 0x40008000,
  componentAttributes: 0x40008002,
} as const

/** Whether a chunk has no body: a value takes the place of its length. */
export function isShort(typeCode: number): boolean {
  return typeCode >>> 31 === 1
}

/** Whether the last four bytes of the body are a CRC-32 of the others, excluding nested chunks. */
export function hasChecksum(typeCode: number): boolean {
  return !isShort(typeCode) && (typeCode & 0x8000) !== 0
}
