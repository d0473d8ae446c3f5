module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4x5xi64>) -> (tensor<1x2x2xi64> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg0 [0:3:2, 1:4, 0:5:2] : (tensor<3x4x5xi64>) -> tensor<2x3x3xi64>
    %1 = stablehlo.slice %0 [0:2, 0:3, 1:3] : (tensor<2x3x3xi64>) -> tensor<2x3x2xi64>
    %c = stablehlo.constant dense<1> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %2 = stablehlo.compare LT, %c, %c_0, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %c_1 = stablehlo.constant dense<1> : tensor<i64>
    %c_2 = stablehlo.constant dense<2> : tensor<i64>
    %3 = stablehlo.add %c_1, %c_2 : tensor<i64>
    %c_3 = stablehlo.constant dense<1> : tensor<i64>
    %4 = stablehlo.select %2, %3, %c_3 : tensor<i1>, tensor<i64>
    %c_4 = stablehlo.constant dense<2> : tensor<i64>
    %c_5 = stablehlo.constant dense<0> : tensor<i64>
    %5 = stablehlo.compare LT, %c_4, %c_5, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %c_6 = stablehlo.constant dense<2> : tensor<i64>
    %c_7 = stablehlo.constant dense<3> : tensor<i64>
    %6 = stablehlo.add %c_6, %c_7 : tensor<i64>
    %c_8 = stablehlo.constant dense<2> : tensor<i64>
    %7 = stablehlo.select %5, %6, %c_8 : tensor<i1>, tensor<i64>
    %c_9 = stablehlo.constant dense<0> : tensor<i64>
    %c_10 = stablehlo.constant dense<0> : tensor<i64>
    %8 = stablehlo.compare LT, %c_9, %c_10, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %c_11 = stablehlo.constant dense<0> : tensor<i64>
    %c_12 = stablehlo.constant dense<2> : tensor<i64>
    %9 = stablehlo.add %c_11, %c_12 : tensor<i64>
    %c_13 = stablehlo.constant dense<0> : tensor<i64>
    %10 = stablehlo.select %8, %9, %c_13 : tensor<i1>, tensor<i64>
    %11 = stablehlo.dynamic_slice %1, %4, %7, %10, sizes = [1, 2, 2] : (tensor<2x3x2xi64>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<1x2x2xi64>
    return %11 : tensor<1x2x2xi64>
  }
}
