// The settings of the storage. They are plain data, so a worker thread gets them and opens the same storage.
import type { Config } from '../config.ts';

export type StorageSettings = Pick<Config, 'storageDir' | 'storageUrl' | 's3Endpoint' | 's3Region'>;
