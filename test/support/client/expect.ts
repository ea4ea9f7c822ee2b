// expect(answer).to.be.refused(403, 'Field: …'): status, the exact text, and the shape of every error.
import * as chai from 'chai';
import type { Answer } from './client.ts';

declare global {
  namespace Chai {
    interface Assertion {
      refused(status: number, message: string): void;
    }
  }
}

chai.use(({ Assertion }) => {
  Assertion.addMethod('refused', function refused(this: { _obj: Answer }, status: number, message: string) {
    const { body, text, status: actual, headers } = this._obj;
    chai.expect({ status: actual, message: body?.message }, text).to.deep.equal({ status, message });
    chai.expect(body.errorCode).to.equal(status);
    chai.expect(body.code).to.match(/^[a-z_]+$/);
    chai.expect(body.errors[0]).to.include({ code: body.code, message });
    chai.expect(body.request_id).to.equal(headers.get('x-request-id'));
  });
});

export const { expect } = chai;
