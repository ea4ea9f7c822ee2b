// The thread of a Deflator: deflates the pieces that it is sent, one after the other.
import { parentPort, workerData } from 'node:worker_threads';
import { deflatePiece } from './deflate-piece.ts';

const level = workerData as number;
parentPort?.on('message', (piece: Uint8Array) => parentPort?.postMessage(deflatePiece(piece, level)));
